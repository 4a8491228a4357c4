// @ts-check
// Views of one trace that stand on one page step together: what a decoder carried, and what it
// looked at, at one token. One hears of the other through here alone.

/** @typedef {{ id: string, step: number }} Stepped of which trace; the decoder's row, from 0 */

/** @type {Set<(stepped: Stepped) => void>} */
const hearing = new Set();
/** @type {Stepped | null} */
let latest = null;

/**
 * The decoder's step in view, where a view of this trace has told it.
 * @param {string} id of the trace
 */
export function stepInView(id) {
  return latest?.id === id ? latest.step : null;
}

/** @param {Stepped} stepped */
export function tellStep(stepped) {
  latest = stepped;
  hearing.forEach((hear) => hear(stepped));
}

/**
 * Has a view tell of its steps and follow those of others; returns what ends it.
 * @template {object} State
 * @param {import("./types").Store<State>} store
 * @param {string} id of the trace
 * @param {(state: State) => number | null} stepOf null where the view shows no decoder
 * @param {(step: number) => Partial<State>} patchOf
 */
export function stepTogether(store, id, stepOf, patchOf) {
  const untold = store.subscribe((state, last) => {
    const step = stepOf(state);
    if (step !== null && step !== stepOf(last)) tellStep({ id, step });
  });
  const hear = (/** @type {Stepped} */ stepped) => {
    const step = stepOf(store.get());
    if (stepped.id === id && step !== null && step !== stepped.step) store.set(patchOf(stepped.step));
  };
  hearing.add(hear);
  return () => {
    untold();
    hearing.delete(hear);
  };
}
