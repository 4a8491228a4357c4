// @ts-check
// What keys and clicks mean. Steps move from anywhere in the component; a focused grid,
// switch or matrix keeps its own arrow keys to itself.
import { holds } from "./data/part.js";
import { isDecoder } from "./data/seen.js";
import { same } from "./store.js";

/** @import { App, Inspecting } from "./types" */

const BY = new Map([
  ["ArrowLeft", [0, -1]],
  ["ArrowRight", [0, 1]],
  ["ArrowUp", [-1, 0]],
  ["ArrowDown", [1, 0]],
]);

/** The key l, where it stands on the keyboard as well: a Korean one writes ㅣ there. */
const swaps = (/** @type {KeyboardEvent} */ event) => event.key === "l" || event.code === "KeyL";

/**
 * Where Up, Down and the page keys lead on a row of tokens that has the focus, as on any slider.
 * @param {EventTarget | null} target
 * @param {number} at
 * @returns {Record<string, number>}
 */
export function along(target, at) {
  if (!(target instanceof Element) || target.getAttribute("role") !== "slider") return {};
  return { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - 5, PageDown: at + 5 };
}

/**
 * Arrow keys step, Home and End jump, l swaps matrix and lines.
 * @param {Inspecting & { steps: { move: (by: number) => void } }} app
 * @param {KeyboardEvent} event
 */
export function stepKeys(app, event) {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("input, textarea, select")) return;
  const { steps, store, model } = app;
  /** @type {Record<string, (() => void) | undefined>} */
  const acts = {
    ArrowLeft: () => steps.move(-1),
    ArrowRight: () => steps.move(1),
    ArrowUp: () => steps.move(-1),
    ArrowDown: () => steps.move(1),
    PageUp: () => steps.move(-5),
    PageDown: () => steps.move(5),
    Home: () => steps.move(-model.steps),
    End: () => steps.move(model.steps),
  };
  const act = acts[event.key];
  const onSteps = target?.getAttribute("role") === "slider";
  if (swaps(event) && app.view === "inspect") {
    store.set({ mode: store.get().mode === "matrix" ? "lines" : "matrix" });
  } else if (act && model.steps > 0 && (onSteps || event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    act();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * + and − show less and more, 0 all; over the cells Shift and an arrow go on by half of what is in view.
 * @param {import("./views/zoom.js").Zoom} zoom
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was one of them
 */
export function zoomKeys(zoom, event) {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("input, textarea, select")) return false;
  /** @type {Record<string, (() => void) | undefined>} */
  const acts = { "+": zoom.closer, "=": zoom.closer, "-": zoom.farther, _: zoom.farther, 0: () => zoom.show(null) };
  const by = event.shiftKey && target?.matches(".hl-surface") ? BY.get(event.key) : undefined;
  const act = by ? () => zoom.turn(by[0] / 2, by[1] / 2) : acts[event.key];
  if (!act) return false;
  act();
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/**
 * A host of cells.
 * @typedef {Pick<App, "store" | "seen" | "pinned" | "held" | "pinOf" | "focusRow" | "part">} Cells
 */

/**
 * Arrow keys over the cells; what they reach counts as pointed at.
 * @param {Cells} app
 * @param {KeyboardEvent} event
 */
export function cursorKeys(app, event) {
  const { store, seen } = app;
  const state = store.get();
  const site = seen.site(state.kind);
  if (event.key === "Enter" || event.key === " ") {
    if (state.hover && state.hover[0] >= 0 && state.hover[1] >= 0) pickCell(app, state.hover);
  } else if (state.hover && (event.code === "KeyR" || event.code === "KeyC") && !event.ctrlKey && !event.metaKey) {
    holdToken(app, event.code === "KeyR" ? [state.hover[0], -1] : [-1, state.hover[1]]);
  } else if (event.key === "Escape" && (state.hover || state.pinned || state.held)) {
    store.set(state.held ? { held: null } : state.pinned ? { pinned: null } : { hover: null });
  } else {
    const by = BY.get(event.key);
    if (!by) return;
    const part = app.part(state);
    const last = state.hover ?? app.pinned(state);
    const at = last && holds(part, last) ? last : null; // what has left the view is not gone on from
    const row = app.focusRow(state) ?? part.top;
    const from = at ? at.map((value) => Math.max(value, 0)) : [holds(part, [row, -1]) ? row : part.top, part.left];
    const limits = [site.rows - 1, site.columns - 1];
    const next = at ? from.map((value, axis) => Math.min(Math.max(value + by[axis], 0), limits[axis])) : from;
    store.set({ hover: next, pointed: false });
  }
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Pins a whole row [row, -1] or column [-1, column]; a second time lets go of it.
 * @param {Cells} app
 * @param {number[]} at
 */
export function holdToken(app, at) {
  const { store } = app;
  const state = store.get();
  if (!("held" in state) || Math.max(...at) < 0) return;
  store.set({ held: same(app.held?.(state), at) ? null : app.pinOf(state.kind, at) });
}

/**
 * A click on a cell or on a token's name pins it; on a row that is not written yet, goes there.
 * @param {Cells} app
 * @param {number[]} at
 */
export function pickCell(app, [row, column]) {
  const { store, seen } = app;
  const { kind, step } = store.get();
  const pinned = app.pinned(store.get());
  if (step !== null && isDecoder(kind) && row >= seen.rowsAt(kind, step)) {
    store.set({ step: seen.stepAt(row) });
    return;
  }
  if (row < 0 || column < 0) holdToken(app, [row, column]);
  else store.set({ pinned: same(pinned, [row, column]) ? null : app.pinOf(kind, [row, column]) });
}
