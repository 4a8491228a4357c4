// @ts-check
// One state for everything that is chosen. Views render from it and never from each other.

/** @import { Extents, Kind, Place, Selection, Store, Wanted } from "./types" */

/**
 * Holds a state; `set` merges a patch and tells the listeners once what was before.
 * @template {object} State
 * @param {State} initial
 * @returns {Store<State>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: State, before: State) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      const before = state;
      const next = { ...state, ...patch };
      const names = /** @type {(keyof State)[]} */ (Object.keys(patch));
      if (names.every((name) => same(before[name], next[name]))) return;
      state = next;
      listeners.forEach((listener) => listener(state, before));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** @type {(a: unknown, b: unknown) => boolean} */
export function same(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** @type {(value: unknown, low: number, high: number, otherwise: number) => number} */
const within = (value, low, high, otherwise) =>
  typeof value === "number" && Number.isInteger(value) ? Math.min(Math.max(value, low), high) : otherwise;

/**
 * A selection that fits the model, from one that may not (a URL, an earlier sentence).
 * Outside, layers, heads, steps and pinned cells count from 1; inside, from 0.
 * @param {Wanted} wanted
 * @param {Extents} model with some kind of attention
 * @returns {Place}
 */
export function settle(wanted, model) {
  const preferred = model.sites.has("cross") ? "cross" : model.kinds[0];
  const kind = model.kinds.find((one) => one === wanted.kind) ?? preferred;
  const site = model.sites.get(kind);
  if (!site) throw new Error(`no ${kind}`);
  const pinned = Array.isArray(wanted.pinned) ? wanted.pinned.map((at) => at - 1) : null;
  const fits =
    pinned !== null &&
    pinned.length === 2 &&
    pinned.every((at, axis) => Number.isInteger(at) && at >= 0 && at < (axis ? site.columns : site.rows));
  return {
    kind,
    layer: within(wanted.layer, 1, site.layers, 1) - 1,
    head: within(wanted.head, 1, site.heads, 1) - 1,
    step: within(wanted.step, 1, Math.max(model.steps, 1), Math.max(model.steps, 1)) - 1,
    pinned: fits ? pinned : null,
  };
}

/**
 * The selection as Python and the URL know it.
 * @param {Place} state
 * @returns {Selection}
 */
export function selectionOf(state) {
  return {
    kind: state.kind,
    layer: state.layer + 1,
    head: state.head + 1,
    step: state.step + 1,
    pinned: state.pinned === null ? null : state.pinned.map((at) => at + 1),
  };
}

/**
 * Patch for another kind of attention: layer and head stay where they exist.
 * @param {Extents} model
 * @param {Place} state
 * @param {Kind} kind
 */
export function kindPatch(model, state, kind) {
  const { layer, head, step } = selectionOf(state);
  return { ...settle({ kind, layer, head, step }, model), hover: null, held: null, zoom: null, found: null };
}
