// The grid of all heads. One canvas carries the pictures, drawn once a kind and a look (in
// slices, so that no frame waits); over it lies an ARIA grid of empty cells that takes focus
// and clicks.
import { hatch } from "./colour.js";
import { bitmap, hatched, Memo, pixels, pooled, prepare } from "./paint.js";
import { attribute, h, text } from "./dom.js";
import { isDecoder } from "./model.js";
import { format, wholePercent } from "./text.js";

const [SLICE_MS, SLICE_CELLS] = [6, 20_000]; // a slice ends when both are used up
const [RULER, GAP, LARGEST] = [22, 4, 116];

export function createGrid(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const cells = h("div", { class: "hl-grid-cells", role: "grid", "aria-label": words.grid, "data-testid": "hl-grid" });
  const box = h("div", { class: "hl-grid-box" }, canvas, cells);
  const note = h("p", { class: "hl-note", "data-testid": "hl-grid-note" });
  const element = h("section", { class: "hl-grid" }, box, note);
  let built = null; // the kind whose cells are in the DOM
  let buttons = [];
  const pictures = new Memo(app.picturesKept);
  let picture = null; // {key, place, state, canvas, mask, drawn, total}
  let shape = null;
  let placed = ""; // what the layout was made for
  let pooledNote = "";
  let focused = null;
  let frame = 0;

  function layout(site, width) {
    const room = (width - 2 - RULER - GAP * (site.heads - 1)) / site.heads;
    const cellWidth = Math.max(8, Math.min(LARGEST, Math.floor(room)));
    const across = Math.min(1.3, Math.max(0.6, site.rows / Math.max(site.columns, 1)));
    const most = Math.max(20, Math.floor((app.gridHeight() - RULER) / site.layers) - GAP);
    const cellHeight = Math.max(8, Math.min(Math.round(cellWidth * across), most));
    return {
      cellWidth, cellHeight, site,
      width: RULER + site.heads * (cellWidth + GAP) - GAP + 2,
      height: RULER + site.layers * (cellHeight + GAP) - GAP + 2,
      x: (head) => RULER + head * (cellWidth + GAP),
      y: (layer) => RULER + layer * (cellHeight + GAP),
    };
  }

  function describe(kind, layer, head) {
    const { model } = app;
    const trait = (name) => wholePercent(model.trait(kind, name, layer, head));
    const shares = model.traitsOf(kind).filter((name) => name !== "entropy").map((name) => [name, trait(name)]);
    return format(words[`traits_${kind}`], {
      entropy: model.trait(kind, "entropy", layer, head).toFixed(2), ...Object.fromEntries(shares),
    });
  }

  const name = (layer, head) => format(words.head_name, { layer: layer + 1, head: head + 1 });
  const told = (kind, layer, head) => `${name(layer, head)}. ${describe(kind, layer, head)}`;

  function build(kind) {
    const site = app.model.sites.get(kind);
    const header = h("div", { role: "row" }, ...Array.from({ length: site.heads }, (_, head) =>
      h("span", { class: "hl-ruler", role: "columnheader", "aria-label": format(words.head, { head: head + 1 }), "data-head": head }, String(head + 1))));
    buttons = [];
    const rows = Array.from({ length: site.layers }, (_, layer) => h("div", { role: "row" },
      h("span", { class: "hl-ruler", role: "rowheader", "aria-label": format(words.layer, { layer: layer + 1 }), "data-layer": layer }, String(layer + 1)),
      ...Array.from({ length: site.heads }, (_unused, head) => {
        const cell = h("div", {
          class: "hl-head", role: "gridcell", tabindex: "-1", title: name(layer, head),
          "aria-label": told(kind, layer, head), "data-layer": layer, "data-head": head,
        });
        buttons.push(cell);
        return cell;
      })));
    cells.replaceChildren(header, ...rows);
    built = kind;
    focused = null;
  }

  function arrange() {
    for (const item of cells.querySelectorAll(".hl-ruler, .hl-head")) {
      const { head, layer } = item.dataset;
      const [onRow, onColumn] = [layer !== undefined, head !== undefined];
      item.style.left = `${onColumn ? shape.x(Number(head)) : 0}px`;
      item.style.top = `${onRow ? shape.y(Number(layer)) : 0}px`;
      item.style.width = `${onColumn ? shape.cellWidth : RULER - 4}px`;
      item.style.height = `${onRow ? shape.cellHeight : RULER - 4}px`;
    }
    box.style.height = `${shape.height}px`;
  }

  /** The cells that the mask forbids, hatched, at the size of one small picture. */
  function forbidden(site, ratio) {
    const [w, t] = [pixels(site.columns, shape.cellWidth, ratio), pixels(site.rows, shape.cellHeight, ratio)];
    const open = pooled(app.model.allowed(site.kind), site.rows, site.columns, t, w);
    return hatched(open, t, w, shape.cellWidth, shape.cellHeight, ratio, (target) => hatch(target, app.theme, "small", ratio));
  }

  /** A picture to draw into; until a head is drawn, what the last one showed stays in its place. */
  function blank(key, place, state, ratio, last) {
    const fresh = new OffscreenCanvas(Math.round(shape.width * ratio), Math.round(shape.height * ratio));
    if (last) fresh.getContext("2d").drawImage(last.canvas, 0, 0);
    const mask = last ? last.mask : forbidden(shape.site, ratio);
    return { key, place, state, mask, canvas: fresh, drawn: 0, total: shape.site.layers * shape.site.heads };
  }

  /** Draws heads into the picture until the slice is used up; asks for another frame then. */
  function paintSlice() {
    const began = performance.now();
    const { site } = shape;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    if (picture.drawn === picture.total) return;
    const context = picture.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    const [w, t] = [pixels(site.columns, shape.cellWidth, ratio), pixels(site.rows, shape.cellHeight, ratio)];
    const enough = (drawn) => drawn * site.rows * site.columns > SLICE_CELLS && performance.now() - began >= SLICE_MS;
    for (let drawn = 0; picture.drawn < picture.total && !enough(drawn); drawn += 1) {
      const [layer, head] = [Math.floor(picture.drawn / site.heads), picture.drawn % site.heads];
      const { values, rows, columns } = app.small(picture.state, layer, head);
      const { table, low, high } = app.shade(picture.state, values);
      const [tall, wide] = [Math.min(t, rows), Math.min(w, columns)];
      context.drawImage(bitmap(pooled(values, rows, columns, tall, wide, low < 0), tall, wide, table, low, high),
        shape.x(head), shape.y(layer), shape.cellWidth, shape.cellHeight);
      if (picture.mask) context.drawImage(picture.mask, shape.x(head), shape.y(layer), shape.cellWidth, shape.cellHeight);
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

  function compose(state) {
    const { context } = prepare(canvas, shape.width, shape.height);
    context.drawImage(picture.canvas, 0, 0, shape.width, shape.height);
    context.lineWidth = 1;
    context.strokeStyle = app.theme.line;
    const { site } = shape;
    const marked = state.step !== null && isDecoder(site.kind) && site.rows > 1;
    const at = ((state.step + 0.5) / site.rows) * shape.cellHeight;
    for (let layer = 0; layer < site.layers; layer += 1) {
      for (let head = 0; head < site.heads; head += 1) {
        const [x, y] = [shape.x(head), shape.y(layer)];
        context.strokeRect(x - 0.5, y - 0.5, shape.cellWidth + 1, shape.cellHeight + 1);
        if (marked) {
          context.fillStyle = app.theme.accent;
          context.fillRect(x - 2, y + at - 1.5, 3, 3);
        }
      }
    }
  }

  function render(state) {
    const [width] = app.sizes.of(element);
    if (width === 0 || app.model.kinds.length === 0) return;
    const site = app.model.sites.get(state.kind);
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const place = `${state.kind}|${width}|${ratio}|${app.gridHeight()}|${app.theme.key}`;
    if (built !== state.kind) build(state.kind);
    if (placed !== place) {
      placed = place;
      shape = layout(site, width);
      arrange();
      canvas.style.width = `${shape.width}px`;
      canvas.style.height = `${shape.height}px`;
      const shrunk = site.rows > shape.cellHeight * ratio || site.columns > shape.cellWidth * ratio;
      pooledNote = shrunk ? words.pooled_note : "";
    }
    const key = `${place}|${app.lookKey(state)}|${state.stretch}`;
    if (picture?.key !== key) {
      const last = picture?.place === place ? picture : null;
      picture = pictures.get(key, () => blank(key, place, state, ratio, last));
      cancelAnimationFrame(frame);
      frame = 0;
      paintSlice();
      text(note, [words.grid_note, words.grid_axes, pooledNote, state.stretch ? words.stretch_note : ""].join(" ").trim());
    }
    compose(state);
    const index = state.layer * site.heads + state.head;
    if (focused !== buttons[index]) {
      for (const cell of [focused, buttons[index]]) {
        if (!cell) continue;
        attribute(cell, "tabindex", cell === buttons[index] ? "0" : "-1");
        attribute(cell, "aria-selected", cell === buttons[index]);
      }
      focused = buttons[index];
    }
  }

  cells.onclick = (event) => {
    const cell = event.target.closest(".hl-head");
    if (!cell) return;
    store.set({ layer: Number(cell.dataset.layer), head: Number(cell.dataset.head), hover: null });
    cell.focus({ preventScroll: true });
  };
  cells.onkeydown = (event) => {
    const { layer, head, kind } = store.get();
    const site = app.model.sites.get(kind);
    const next = {
      ArrowLeft: [layer, head - 1], ArrowRight: [layer, head + 1],
      ArrowUp: [layer - 1, head], ArrowDown: [layer + 1, head],
      Home: [layer, 0], End: [layer, site.heads - 1], PageUp: [0, head], PageDown: [site.layers - 1, head],
    }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    const [l, n] = [Math.min(Math.max(next[0], 0), site.layers - 1), Math.min(Math.max(next[1], 0), site.heads - 1)];
    store.set({ layer: l, head: n, hover: null });
    app.flush();
    buttons[l * site.heads + n].focus({ preventScroll: true });
  };

  return {
    element, render,
    describe: (state) => describe(state.kind, state.layer, state.head),
    /** Says of every head what it does in another look. */
    retell: () => buttons.forEach((cell) =>
      attribute(cell, "aria-label", told(built, Number(cell.dataset.layer), Number(cell.dataset.head)))),
    drawn: () => ({ heads: picture?.drawn ?? 0, of: picture?.total ?? 0, width: shape?.width ?? 0, height: shape?.height ?? 0 }),
    stop: () => cancelAnimationFrame(frame),
  };
}
