// @ts-check
// Entry of the states: what recurrent layers carried and computed at every step of one trace
// (viz/inspector/states.py).
import { createStore } from "../store.js";
import { mountStates } from "./mount.js";
import { Recorded } from "./recorded.js";
import { States } from "./states.js";

/** @import { StatesMeta, StatesState } from "./types" */

export const mount = mountStates({
  sheets: ["style.css", "states/style.css"],
  shown: (/** @type {StatesMeta} */ { trace_id: id }) => id,
  recorded: (meta, source) => new Recorded(meta, source),
  view: (root, model, settled) =>
    new States(root, model, createStore(/** @type {StatesState} */ ({ hover: null, pointed: false, ...settled }))),
});
