// @ts-check
// Entry of the states of two traces beside each other (viz/inspector/states.py).
import { server } from "../data/source.js";
import { mounting } from "../host.js";
import { createStore } from "../store.js";
import { BothRecorded } from "./both.js";
import { settleStates } from "./chosen.js";
import { StatesPair } from "./pair.js";
import { Recorded } from "./recorded.js";

/** @import { Component, Wanted } from "../types" */
/** @import { PairState, StatesPairMeta } from "./types" */
/** @typedef {{ meta: StatesPairMeta }} Data */

export const mount = mounting({
  sheets: ["style.css", "compare/style.css", "states/style.css"],
  testid: "hl-states",
  room: 480,
  parameters: ["stack", "stack_layer", "state", "position"],
  options: ["unit", "units"],
  shown: (/** @type {StatesPairMeta} */ { traces }) => traces.map(({ trace_id: id }) => id),
  prepare,
  open,
});

/**
 * Both with the numbers of the layer that will be shown: what was drawn stays until then.
 * @param {Component<Data>} component
 * @param {Wanted | null} wanted
 * @param {StatesPair | null} earlier
 */
async function prepare({ data: { meta }, source }, wanted, earlier) {
  const models = meta.traces.map((trace) => new Recorded({ ...trace, ui: meta.ui }, source ?? server));
  const both = new BothRecorded(models, meta);
  const { stack, layer } = settleStates({ ...before(earlier, meta), ...wanted }, both);
  await both.load(stack, layer);
  return both;
}

/**
 * What stays chosen: of other traces a step is another token.
 * @param {StatesPair | null} earlier
 * @param {StatesPairMeta} meta
 * @returns {Wanted}
 */
function before(earlier, { traces }) {
  if (!earlier) return {};
  const same = traces.every(({ trace_id: id }, at) => earlier.model.models[at].meta.trace_id === id);
  return same ? earlier.selection() : { ...earlier.selection(), position: null, unit: null };
}

/**
 * @param {HTMLElement} root
 * @param {Data} data
 * @param {Wanted | null} wanted
 * @param {StatesPair | null} earlier
 * @param {BothRecorded} both
 */
function open(root, { meta }, wanted, earlier, both) {
  const { position, ...settled } = settleStates({ ...before(earlier, meta), ...wanted }, both);
  earlier?.stop();
  const state = /** @type {PairState} */ ({ hover: null, pointed: false, place: position, ...settled });
  return new StatesPair(root, both, createStore(state), meta);
}
