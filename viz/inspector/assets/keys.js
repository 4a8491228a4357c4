// What keys and clicks mean. Steps move from anywhere in the component; a focused grid,
// switch or matrix keeps its own arrow keys to itself.
import { isDecoder } from "./model.js";

/** Arrow keys step, Home and End jump, l swaps matrix and lines. */
export function stepKeys(app, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select")) return;
  const { steps, store, model } = app;
  const act = {
    ArrowLeft: () => steps.move(-1), ArrowRight: () => steps.move(1),
    ArrowUp: () => steps.move(-1), ArrowDown: () => steps.move(1),
    PageUp: () => steps.move(-5), PageDown: () => steps.move(5),
    Home: () => steps.move(-model.steps), End: () => steps.move(model.steps),
  }[event.key];
  const onSteps = event.target.getAttribute?.("role") === "slider";
  if (event.key === "l" && app.view === "inspect") {
    store.set({ mode: store.get().mode === "matrix" ? "lines" : "matrix" });
  } else if (act && model.steps > 0 && (onSteps || event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    act();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Arrow keys over the cells; what they reach counts as pointed at. */
export function cursorKeys(app, event) {
  const { store, seen } = app;
  const state = store.get();
  const site = seen.sites.get(state.kind);
  if (event.key === "Enter" || event.key === " ") {
    if (state.hover && state.hover[0] >= 0 && state.hover[1] >= 0) pickCell(app, state.hover);
  } else if (event.key === "Escape" && (state.hover || state.pinned)) {
    store.set(state.pinned ? { pinned: null } : { hover: null });
  } else {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by) return;
    const at = state.hover ?? app.pinned(state);
    const from = at ? at.map((value) => Math.max(value, 0)) : [app.focusRow(state) ?? 0, 0];
    const limits = [site.rows - 1, site.columns - 1];
    const next = at ? from.map((value, axis) => Math.min(Math.max(value + by[axis], 0), limits[axis])) : from;
    store.set({ hover: next, pointed: false });
  }
  event.preventDefault();
  event.stopPropagation();
}

/** A click on a cell pins it; on a row that is not written yet, or on a row's name, goes there. */
export function pickCell(app, [row, column]) {
  const { store, seen } = app;
  const { kind, step } = store.get();
  const pinned = app.pinned(store.get());
  if (row < 0) return;
  if (step !== null && isDecoder(kind) && (column < 0 || row >= seen.rowsAt(kind, step))) {
    store.set({ step: seen.stepAt(row) });
    return;
  }
  if (column < 0) return;
  const same = pinned && pinned[0] === row && pinned[1] === column;
  store.set({ pinned: same ? null : seen.pieceAt(kind, [row, column]) });
}
