// @ts-check
// Entry of the states of two traces beside each other (viz/inspector/states.py).
import { createStore } from "../store.js";
import { BothRecorded } from "./both.js";
import { mountStates } from "./mount.js";
import { StatesPair } from "./pair.js";
import { Recorded } from "./recorded.js";

/** @import { PairState, StatesPairMeta } from "./types" */

export const mount = mountStates({
  sheets: ["style.css", "compare/style.css", "states/style.css"],
  shown: (/** @type {StatesPairMeta} */ { traces }) => traces.map(({ trace_id: id }) => id),
  recorded(meta, source) {
    const models = meta.traces.map((trace) => new Recorded({ ...trace, ui: meta.ui }, source));
    return new BothRecorded(models, meta);
  },
  view(root, both, settled, meta) {
    const store = createStore(/** @type {PairState} */ ({ hover: null, pointed: false, ...settled }));
    return new StatesPair(root, both, store, meta);
  },
});
