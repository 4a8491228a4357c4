// The grid of all heads. One canvas carries the pictures, drawn once a kind, an order and a
// trace (in slices, so that no frame waits); over it lies an ARIA grid of empty cells that
// takes focus and clicks.
import { hatch } from "./colour.js";
import { bitmap, hatched, Memo, pixels, prepare } from "./paint.js";
import { pooled } from "../data/pooled.js";
import { attribute, h, text } from "./dom.js";
import { isDecoder } from "../data/seen.js";
import { byLayer, inOrder, neighbour } from "./places.js";
import { sideways } from "./sideways.js";
import { format, measured, wholePercent } from "../data/text.js";

const [SLICE_MS, SLICE_CELLS] = [6, 20_000]; // a slice ends when both are used up
const TELL_MS = 200;
const RING = 5; // pixels around a cell that has the focus

export function createGrid(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const cells = h("div", { class: "hl-grid-cells", role: "grid", "aria-label": words.grid, "data-testid": "hl-grid" });
  const box = h("div", { class: "hl-grid-box" }, canvas, cells);
  const note = h("p", { class: "hl-note", "data-testid": "hl-grid-note", role: "status" });
  const element = h("section", { class: "hl-grid" }, box, note);
  const scroll = sideways(box);
  let built = null; // the kind whose cells are in the DOM
  let arranged = ""; // and their order
  let buttons = [];
  const pictures = new Memo(app.picturesKept);
  let picture = null; // {key, place, state, canvas, mask, drawn, total}
  let shape = null;
  let placed = ""; // what the layout was made for
  let brought = ""; // the head, and the layout, for which it was scrolled
  let composed = ""; // what stands on the canvas
  let pooledNote = "";
  let focused = null;
  let frame = 0;
  let numbered = ""; // the heads that carry numbers
  let [toldOf, later] = [null, 0]; // what the names of the heads speak of; they are told anew at rest

  function describe(kind, layer, head) {
    if (app.tell) return app.tell(kind, layer, head);
    const { model } = app;
    const trait = (name) => wholePercent(model.trait(kind, name, layer, head));
    const shares = model
      .traitsOf(kind)
      .filter((name) => name !== "entropy")
      .map((name) => [name, trait(name)]);
    const said = format(words[`traits_${kind}`], {
      entropy: model.trait(kind, "entropy", layer, head).toFixed(2),
      ...Object.fromEntries(shares),
    });
    return measured(said, words, app.seen !== model);
  }

  const name = (layer, head) => format(words.head_name, { layer: layer + 1, head: head + 1 });
  const told = (kind, layer, head) => `${name(layer, head)}. ${describe(kind, layer, head)}`;

  function build(kind) {
    const { columns, flows } = shape;
    const ruler = (role, label, at, axis) =>
      h("span", { class: "hl-ruler", role, "aria-label": label, [`data-${axis}`]: at }, String(at + 1));
    const header = flows
      ? []
      : [
          h(
            "div",
            { role: "row" },
            h("span", { class: "hl-corner", "aria-hidden": "true" }),
            ...Array.from({ length: columns }, (_, at) =>
              ruler("columnheader", format(words.head, { head: at + 1 }), at, "column"),
            ),
          ),
        ];
    buttons = shape.cells.map(({ layer, head }) =>
      h("div", {
        class: "hl-head",
        role: "gridcell",
        tabindex: "-1",
        "aria-selected": "false",
        title: name(layer, head),
        "aria-label": told(kind, layer, head),
        "data-layer": layer,
        "data-head": head,
        "data-name": flows ? format(words.head_short, { layer: layer + 1, head: head + 1 }) : null,
      }),
    );
    const rows = Array.from({ length: Math.ceil(buttons.length / columns) }, (_, at) =>
      h(
        "div",
        { role: "row" },
        flows ? null : ruler("rowheader", format(words.layer, { layer: at + 1 }), at, "row"),
        ...buttons.slice(at * columns, (at + 1) * columns),
      ),
    );
    cells.replaceChildren(...header, ...rows);
    built = kind;
    toldOf = app.seen;
    numbered = "";
    focused = null;
  }

  /** Says of every head what it does in another trace. */
  function retell() {
    toldOf = app.seen;
    buttons.forEach((cell) =>
      attribute(cell, "aria-label", told(built, Number(cell.dataset.layer), Number(cell.dataset.head))),
    );
  }

  function arrange(width) {
    const { cells: places, cellWidth, cellHeight, columns, ruler, gap } = shape;
    const put = (item, x, y, width, height) =>
      Object.assign(item.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    buttons.forEach((item, at) => put(item, places[at].x, places[at].y, cellWidth, cellHeight));
    // Numbers of layers stay in view: they stand one below the other, and stick.
    for (const item of cells.querySelectorAll(".hl-ruler, .hl-corner")) {
      const { row, column } = item.dataset;
      if (column !== undefined) put(item, places[column].x, 0, cellWidth, ruler - 4);
      else put(item, 0, 0, ruler - 4, row === undefined ? places[0].y : cellHeight);
      if (row !== undefined) item.style.marginBottom = `${gap}px`;
    }
    const wide = shape.width > width;
    box.classList.toggle("hl-grid-wide", wide);
    cells.style.width = wide ? `${shape.width + RING}px` : "";
    cells.style.height = `${shape.height + (wide ? RING : 0)}px`;
  }

  /** Lays out what has another size, kind or order; says whether it took the focus away. */
  function lay(state, site, width) {
    const order = app.ranking?.(state) ?? null;
    shape = order ? inOrder(site, width, app.gridHeight(), order) : byLayer(site, width, app.gridHeight());
    const now = `${state.kind}|${order?.join(";")}|${shape.columns}`; // what cells are called
    const held = arranged !== now && cells.contains(cells.getRootNode().activeElement);
    if (arranged !== now) build(state.kind);
    arranged = now;
    arrange(width);
    canvas.style.width = `${shape.width}px`;
    canvas.style.height = `${shape.height}px`;
    return held;
  }

  /** The cells that a head's mask forbids, hatched, at the size of one small picture. */
  function forbidden(site, head, ratio) {
    const [w, t] = [pixels(site.columns, shape.cellWidth, ratio), pixels(site.rows, shape.cellHeight, ratio)];
    const open = pooled(app.seen.allowed(site.kind, ...head), site.rows, site.columns, t, w);
    return hatched(open, t, w, shape.cellWidth, shape.cellHeight, ratio, (target) =>
      hatch(target, app.theme, "small", ratio),
    );
  }

  function maskOf(site, head, ratio) {
    const name = app.seen.maskOf(site.kind, ...head);
    if (!picture.masks.has(name)) picture.masks.set(name, forbidden(site, head, ratio));
    return picture.masks.get(name);
  }

  /** A picture to draw into; until a head is drawn, what the last one showed stays in its place. */
  function blank(key, place, state, ratio, last) {
    const fresh = new OffscreenCanvas(Math.round(shape.width * ratio), Math.round(shape.height * ratio));
    if (last) fresh.getContext("2d").drawImage(last.canvas, 0, 0);
    const masks = last ? last.masks : new Map(); // by their names: most often all heads have one
    return { key, place, state, masks, canvas: fresh, drawn: 0, total: shape.cells.length };
  }

  /** Draws heads into the picture until the slice is used up; asks for another frame then. */
  function paintSlice() {
    const began = performance.now();
    const site = app.seen.sites.get(picture.state.kind);
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    if (picture.drawn === picture.total) return;
    const context = picture.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    const [w, t] = [pixels(site.columns, shape.cellWidth, ratio), pixels(site.rows, shape.cellHeight, ratio)];
    const enough = (drawn) => drawn * site.rows * site.columns > SLICE_CELLS && performance.now() - began >= SLICE_MS;
    for (let drawn = 0; picture.drawn < picture.total && !enough(drawn); drawn += 1) {
      const { layer, head, x, y } = shape.cells[picture.drawn];
      const { values, rows, columns } = app.small(picture.state, layer, head);
      const { table, low, high } = app.shade(picture.state, values);
      const [tall, wide] = [Math.min(t, rows), Math.min(w, columns)];
      context.drawImage(
        bitmap(pooled(values, rows, columns, tall, wide, low < 0), tall, wide, table, low, high),
        x,
        y,
        shape.cellWidth,
        shape.cellHeight,
      );
      const mask = maskOf(site, [layer, head], ratio);
      if (mask) context.drawImage(mask, x, y, shape.cellWidth, shape.cellHeight);
      picture.drawn += 1;
    }
    if (picture.drawn < picture.total && !frame) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        paintSlice();
        compose(store.get());
      });
    }
  }

  /** The picture with a frame and the row of the step on every head, unless that is what stands there. */
  function compose(state) {
    const site = app.seen.sites.get(state.kind);
    const marked = state.step !== null && isDecoder(site.kind) && site.rows > 1;
    const at = ((app.seen.rowsAt(site.kind, state.step) - 0.5) / site.rows) * shape.cellHeight;
    const now = `${picture.key}|${picture.drawn}|${marked ? at : ""}`;
    if (now === composed) return;
    composed = now;
    const { context } = prepare(canvas, shape.width, shape.height);
    context.drawImage(picture.canvas, 0, 0, shape.width, shape.height);
    context.lineWidth = 1;
    context.strokeStyle = app.theme.line;
    context.fillStyle = app.theme.accent;
    context.beginPath();
    for (const { x, y } of shape.cells) context.rect(x - 0.5, y - 0.5, shape.cellWidth + 1, shape.cellHeight + 1);
    context.stroke();
    for (const { x, y } of marked ? shape.cells : []) context.fillRect(x - 2, y + at - 1.5, 3, 3);
  }

  function render(state) {
    const [width] = app.sizes.of(element);
    if (width === 0 || app.model.kinds.length === 0) return;
    const site = app.seen.sites.get(state.kind);
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const place = `${state.kind}|${state.words}|${width}|${ratio}|${app.gridHeight()}|${app.theme.key}|${state.order}|${state.top}`;
    let held = false;
    if (placed !== place) {
      placed = place;
      held = lay(state, site, width);
      const shrunk = site.rows > shape.cellHeight * ratio || site.columns > shape.cellWidth * ratio;
      pooledNote = shrunk ? words.pooled_note : "";
    }
    const key = `${place}|${app.traceKey(state)}|${state.stretch}`;
    if (picture?.key !== key) {
      const last = picture?.place === place ? picture : null;
      picture = pictures.get(key, () => blank(key, place, state, ratio, last));
      cancelAnimationFrame(frame);
      frame = 0;
      paintSlice();
    }
    text(
      note,
      [
        app.order?.describe(state) || words.grid_note,
        words.grid_axes,
        pooledNote,
        state.stretch ? words.stretch_note : "",
      ]
        .filter(Boolean)
        .join(" "),
    );
    compose(state);
    select(state);
    clearTimeout(later);
    if (toldOf !== app.seen) later = setTimeout(retell, TELL_MS);
    if (held) focused.focus({ preventScroll: true });
  }

  /** What is chosen comes into view, once: who then scrolls it away wants to see others. */
  function bring(index) {
    const now = `${placed}|${arranged}|${index}`;
    if (brought === now || index < 0) return;
    brought = now;
    const [width] = app.sizes.of(element);
    const { x } = shape.cells[index];
    if (shape.width > width) scroll.show(x - shape.ruler - 1, x + shape.cellWidth + RING, width);
  }

  /** The chosen head takes the focus; where it is not among those shown, the first one does. */
  function select({ layer, head }) {
    const index = shape.cells.findIndex((cell) => cell.layer === layer && cell.head === head);
    bring(index); // before anything is written: that may take a layout
    const next = buttons[Math.max(index, 0)];
    if (focused && focused !== next) {
      attribute(focused, "tabindex", "-1");
      attribute(focused, "aria-selected", false);
    }
    attribute(next, "tabindex", "0");
    attribute(next, "aria-selected", index >= 0);
    focused = next;
    if (app.keep) number(app.heads(store.get()));
  }

  /** The numbers of the heads whose lines are drawn beside each other. */
  function number(heads) {
    const now = heads.length > 1 ? heads.join(";") : "";
    if (now === numbered) return;
    numbered = now;
    shape.cells.forEach(({ layer, head }, at) => {
      const slot = heads.length > 1 ? heads.findIndex(([l, n]) => l === layer && n === head) : -1;
      if (slot < 0) {
        if (buttons[at].dataset.slot)
          ["data-slot", "aria-description"].forEach((name) => buttons[at].removeAttribute(name));
        return;
      }
      attribute(buttons[at], "data-slot", slot + 1);
      attribute(buttons[at], "aria-description", format(words.overlay_number, { number: slot + 1 }));
      buttons[at].style.setProperty("--hl-own", app.theme.several[slot]);
    });
  }

  cells.onclick = (event) => {
    const cell = event.target.closest(".hl-head");
    if (!cell) return;
    if (event.shiftKey && app.keep) {
      app.keep([Number(cell.dataset.layer), Number(cell.dataset.head)]);
      return;
    }
    store.set({ layer: Number(cell.dataset.layer), head: Number(cell.dataset.head), hover: null });
    cell.focus({ preventScroll: true });
    app.reveal?.(element);
  };
  cells.onkeydown = (event) => {
    if (event.key === " " && app.keep && buttons.includes(event.target)) {
      event.preventDefault();
      event.stopPropagation();
      app.keep([Number(event.target.dataset.layer), Number(event.target.dataset.head)]);
      return;
    }
    const to = neighbour(event.key, Math.max(buttons.indexOf(event.target), 0), shape);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const { layer, head } = shape.cells[to];
    select({ layer, head });
    buttons[to].focus({ preventScroll: true }); // before the draw: it wants a clean layout, 2 ms after one
    store.set({ layer, head, hover: null });
    app.flush();
  };

  /** Heads [layer, head] where an arrow key leads from the chosen one. */
  function around() {
    const from = buttons.indexOf(focused);
    if (from < 0) return [];
    const to = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => neighbour(key, from, shape));
    return to.filter((at) => at !== from).map((at) => [shape.cells[at].layer, shape.cells[at].head]);
  }

  return {
    element,
    render,
    around,
    describe: (state) => describe(state.kind, state.layer, state.head),
    retell,
    drawn: () => ({
      heads: picture?.drawn ?? 0,
      of: picture?.total ?? 0,
      width: shape?.width ?? 0,
      height: shape?.height ?? 0,
      cells: shape?.cells.map(({ layer, head }) => [layer + 1, head + 1]) ?? [],
    }),
    stop() {
      clearTimeout(later);
      cancelAnimationFrame(frame);
    },
  };
}
