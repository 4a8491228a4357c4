// @ts-check
// The grid of all heads. One canvas carries the pictures (gridpicture.js); over it lies an ARIA grid
// of empty cells that takes focus and clicks.
import { attribute, h, place, text } from "./dom.js";
import { createGridPicture, later } from "./gridpicture.js";
import { density } from "./paint.js";
import { byLayer, inOrder, neighbour } from "./places.js";
import { sideways } from "./sideways.js";
import { format } from "../data/text.js";

/** @import { App, HeadState, Kind, Layout, Site } from "../types" */
const TELL_MS = 200;
const RING = 5; // pixels around a cell that has the focus

/** @param {App} app */
export function createGrid(app, picturesKept = 4) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const cells = h("div", { class: "hl-grid-cells", role: "grid", "aria-label": words.grid, "data-testid": "hl-grid" });
  const box = h("div", { class: "hl-grid-box" }, canvas, cells);
  const note = h("p", { class: "hl-note", "data-testid": "hl-grid-note", role: "status" });
  const element = h("section", { class: "hl-grid" }, box, note);
  const scroll = sideways(box);
  /** @type {Kind} */
  let built = later(); // the kind whose cells are in the DOM
  let arranged = ""; // and their order
  /** @type {HTMLElement[]} */
  let buttons = [];
  const picture = createGridPicture(app, canvas, picturesKept);
  /** @type {Layout} */
  let shape = later();
  let placed = ""; // what the layout was made for
  let brought = ""; // the head, and the layout, for which it was scrolled
  let pooledNote = "";
  /** @type {HTMLElement | null} */
  let focused = null;
  let numbered = ""; // the heads that carry numbers
  /** @type {App["seen"] | null} */
  let toldOf = null; // what the names of the heads speak of; they are told anew at rest
  let resting = 0;

  /** @type {(layer: number, head: number) => string} */
  const name = (layer, head) => format(words.head_name, { layer: layer + 1, head: head + 1 });
  /** @type {(kind: Kind, layer: number, head: number) => string} */
  const told = (kind, layer, head) => `${name(layer, head)}. ${app.tell(kind, layer, head)}`;
  const headOf = (/** @type {HTMLElement} */ { dataset }) => [Number(dataset.layer), Number(dataset.head)];

  /** @param {Kind} kind */
  function build(kind) {
    const { columns, flows } = shape;
    /** @type {(role: string, label: string, at: number, axis: string) => HTMLElement} */
    const ruler = (role, label, at, axis) =>
      h("span", { class: "hl-ruler", role, "aria-label": label, [`data-${axis}`]: at }, String(at + 1));
    const corner = h("span", { class: "hl-corner", "aria-hidden": "true" });
    const titles = Array.from({ length: columns }, (_, at) =>
      ruler("columnheader", format(words.head, { head: at + 1 }), at, "column"),
    );
    const header = flows ? null : h("div", { role: "row" }, corner, ...titles);
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
    cells.replaceChildren(...(header ? [header] : []), ...rows);
    built = kind;
    toldOf = app.seen;
    numbered = "";
    focused = null;
  }

  /** Says of every head what it does in another trace. */
  function retell() {
    toldOf = app.seen;
    buttons.forEach((cell) => {
      const [layer, head] = headOf(cell);
      attribute(cell, "aria-label", told(built, layer, head));
    });
  }

  /** @param {number} width */
  function arrange(width) {
    const { cells: places, cellWidth, cellHeight, ruler, gap } = shape;
    buttons.forEach((item, at) => place(item, [places[at].x, places[at].y, cellWidth, cellHeight]));
    // Numbers of layers stay in view: they stand one below the other, and stick.
    /** @type {NodeListOf<HTMLElement>} */
    const names = cells.querySelectorAll(".hl-ruler, .hl-corner");
    for (const item of names) {
      const { row, column } = item.dataset;
      if (column !== undefined) place(item, [places[Number(column)].x, 0, cellWidth, ruler - 4]);
      else place(item, [0, 0, ruler - 4, row === undefined ? places[0].y : cellHeight]);
      if (row !== undefined) item.style.marginBottom = `${gap}px`;
    }
    const wide = shape.width > width;
    box.classList.toggle("hl-grid-wide", wide);
    cells.style.width = wide ? `${shape.width + RING}px` : "";
    cells.style.height = `${shape.height + (wide ? RING : 0)}px`;
  }

  /**
   * Lays out what has another size, kind or order; says whether it took the focus away.
   * @param {HeadState} state
   * @param {Site} site
   * @param {number} width
   */
  function lay(state, site, width) {
    const order = app.ranking?.(state);
    shape = order ? inOrder(site, width, app.gridHeight(), order) : byLayer(site, width, app.gridHeight());
    const now = `${state.kind}|${order?.join(";")}|${shape.columns}`; // what cells are called
    const held = arranged !== now && cells.matches(":focus-within");
    if (arranged !== now) build(state.kind);
    arranged = now;
    arrange(width);
    canvas.style.width = `${shape.width}px`;
    canvas.style.height = `${shape.height}px`;
    return held;
  }

  /** @param {HeadState} state */
  function render(state) {
    const [width] = app.sizes.of(element);
    if (width === 0) return;
    const site = app.seen.site(state.kind);
    const ratio = density();
    const shown = [state.kind, state.words, state.order, state.top];
    const now = [...shown, width, ratio, app.gridHeight(), app.theme.key].join("|");
    let held = false;
    if (placed !== now) {
      placed = now;
      held = lay(state, site, width);
      const shrunk = site.rows > shape.cellHeight * ratio || site.columns > shape.cellWidth * ratio;
      pooledNote = shrunk ? words.pooled_note : "";
    }
    picture.render(state, placed, shape);
    text(
      note,
      [app.gridNote?.(state) ?? words.grid_note, words.grid_axes, pooledNote, state.stretch ? words.stretch_note : ""]
        .filter(Boolean)
        .join(" "),
    );
    select(state);
    clearTimeout(resting);
    if (toldOf !== app.seen) resting = window.setTimeout(retell, TELL_MS);
    if (held) focused?.focus({ preventScroll: true });
  }

  /**
   * What is chosen comes into view, once: who then scrolls it away wants to see others.
   * @param {number} index
   */
  function bring(index) {
    const now = `${placed}|${arranged}|${index}`;
    if (brought === now || index < 0) return;
    brought = now;
    const [width] = app.sizes.of(element);
    const { x } = shape.cells[index];
    if (shape.width > width) scroll.show(x - shape.ruler - 1, x + shape.cellWidth + RING, width);
  }

  /**
   * The chosen head takes the focus; where it is not among those shown, the first one does.
   * @param {{ layer: number, head: number }} chosen
   */
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
    number(app.heads?.(store.get()) ?? []);
  }

  /**
   * The numbers of the heads whose lines are drawn beside each other.
   * @param {number[][]} heads
   */
  function number(heads) {
    const now = heads.length > 1 ? heads.join(";") : "";
    if (now === numbered) return;
    numbered = now;
    shape.cells.forEach(({ layer, head }, at) => {
      const slot = heads.length > 1 ? heads.findIndex(([l, n]) => l === layer && n === head) : -1;
      if (slot < 0) {
        ["data-slot", "aria-description"].forEach((name) => buttons[at].removeAttribute(name));
        return;
      }
      attribute(buttons[at], "data-slot", slot + 1);
      attribute(buttons[at], "aria-description", format(words.overlay_number, { number: slot + 1 }));
      buttons[at].style.setProperty("--hl-own", app.theme.several[slot]);
    });
  }

  cells.onclick = (event) => {
    const cell = event.target instanceof Element ? event.target.closest(".hl-head") : null;
    if (!(cell instanceof HTMLElement)) return;
    const [layer, head] = headOf(cell);
    if (event.shiftKey && app.keep?.([layer, head])) return;
    store.set({ layer, head, hover: null });
    cell.focus({ preventScroll: true });
    app.reveal?.(element);
  };
  cells.onkeydown = (event) => {
    const on = buttons.findIndex((button) => button === event.target);
    if (event.key === " " && on >= 0 && app.keep?.(headOf(buttons[on]))) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const to = neighbour(event.key, Math.max(on, 0), shape);
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
    const from = buttons.findIndex((button) => button === focused);
    if (from < 0) return [];
    const to = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => neighbour(key, from, shape));
    return to.flatMap((at) => (at === null || at === from ? [] : [[shape.cells[at].layer, shape.cells[at].head]]));
  }

  return {
    element,
    render,
    around,
    retell,
    drawn: () => ({
      ...picture.drawn(),
      width: shape?.width ?? 0,
      height: shape?.height ?? 0,
      cells: shape?.cells.map(({ layer, head }) => [layer + 1, head + 1]) ?? [],
    }),
    stop() {
      clearTimeout(resting);
      picture.stop();
    },
  };
}
