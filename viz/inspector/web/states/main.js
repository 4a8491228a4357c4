// @ts-check
// Entry of the states: what recurrent layers carried and computed at every step of one trace
// (viz/inspector/states.py).
import { server } from "../data/source.js";
import { mounting } from "../host.js";
import { createStore } from "../store.js";
import { settleStates } from "./chosen.js";
import { Recorded } from "./recorded.js";
import { States } from "./states.js";

/** @import { Component, Wanted } from "../types" */
/** @import { StatesMeta, StatesState } from "./types" */

export const mount = mounting({
  sheets: ["style.css", "states/style.css"],
  testid: "hl-states",
  room: 480,
  parameters: ["stack", "stack_layer", "state", "position"],
  options: ["unit", "units"],
  shown: (/** @type {StatesMeta} */ { trace_id: id }) => id,
  prepare,
  open,
});

/**
 * The states with the numbers of the layer that will be shown: what was drawn stays until then.
 * @param {Component<{ meta: StatesMeta }>} component
 * @param {Wanted | null} wanted
 * @param {States | null} earlier
 */
async function prepare({ data, source }, wanted, earlier) {
  const model = new Recorded(data.meta, source ?? server);
  const { stack, layer } = settleStates({ ...before(earlier, data.meta), ...wanted }, model);
  await model.load(stack, layer);
  return model;
}

/**
 * What stays chosen of an earlier trace; of another one a step is another token.
 * @param {States | null} earlier
 * @param {StatesMeta} meta
 * @returns {Wanted}
 */
function before(earlier, meta) {
  if (!earlier) return {};
  const selection = earlier.selection();
  return earlier.model.meta.trace_id === meta.trace_id ? selection : { ...selection, position: null, unit: null };
}

/**
 * @param {HTMLElement} root
 * @param {{ meta: StatesMeta }} data
 * @param {Wanted | null} wanted
 * @param {States | null} earlier
 * @param {Recorded} model
 */
function open(root, { meta }, wanted, earlier, model) {
  const settled = settleStates({ ...before(earlier, meta), ...wanted }, model);
  earlier?.stop();
  return new States(root, model, createStore(/** @type {StatesState} */ ({ hover: null, pointed: false, ...settled })));
}
