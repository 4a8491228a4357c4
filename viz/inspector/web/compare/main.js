// @ts-check
// Entry of the pair: two traces beside each other and their difference (viz/inspector/pair.py).
import { mounting } from "../host.js";
import { Model } from "../data/model.js";
import { server } from "../data/source.js";
import { createStore } from "../store.js";
import { Both } from "./both.js";
import { Pair } from "./pair.js";
import { OPTIONS, settlePair } from "./selection.js";

/** @import { Component, Wanted } from "../types" */
/** @import { PairMeta, PairState } from "./types" */
/** @typedef {{ meta: PairMeta }} Data */

export const mount = mounting({
  sheets: ["style.css", "compare/style.css"],
  room: 600,
  parameters: ["kind", "layer", "head", "other"],
  options: ["pinned", "place", ...OPTIONS],
  shown: (/** @type {PairMeta} */ { traces }) => traces.map(({ trace_id: id }) => id),
  prepare,
  open,
});

/**
 * Both traces with the kind of attention that will be shown: what was drawn stays until then.
 * @param {Component<Data>} component
 * @param {Wanted | null} wanted
 * @param {Pair | null} earlier
 */
async function prepare({ data: { meta }, source }, wanted, earlier) {
  const models = meta.traces.map((trace) => new Model({ ...trace, ui: meta.ui }, null, source ?? server));
  const both = new Both(models, meta.alignment, meta.words);
  if (both.kinds.length) await both.load(settlePair({ ...earlier?.selection(), ...wanted }, both).kind);
  return both;
}

/**
 * @param {HTMLElement} root
 * @param {Data} data
 * @param {Wanted | null} wanted
 * @param {Pair | null} earlier
 * @param {Awaited<ReturnType<typeof prepare>>} both
 */
function open(root, data, wanted, earlier, both) {
  /** @type {Wanted} */
  const before = earlier?.selection() ?? {};
  const [first] = both.models;
  // a cell of another sentence
  if (earlier && earlier.traceIds[0] !== first.meta.trace_id) Object.assign(before, { pinned: null, place: null });
  earlier?.stop();
  const pointer = { hover: null, over: 0, pointed: false, step: null };
  const asked = { ...before, ...wanted };
  const here = (/** @type {Partial<PairState>} */ { kind }) => kind === undefined || both.has(kind);
  /** @type {Partial<PairState>} */
  const settled = both.kinds.length ? settlePair(asked, both) : {};
  const chosen = here(settled)
    ? settled
    : settlePair({ ...asked, kind: both.kinds.find((kind) => both.has(kind)) }, both);
  const store = createStore(/** @type {PairState} */ ({ ...pointer, ...chosen })); // less, where nothing is shared
  return new Pair(root, both, store, data.meta, both.models[0].ask !== server);
}
