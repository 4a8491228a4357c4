// @ts-check
// Entry of the inspector: every head of one trace (viz/inspector/pack.py), or of two beside
// each other.
import { h } from "./views/dom.js";
import { mounting } from "./host.js";
import { Inspect } from "./inspect.js";
import { OPTIONS, settleOptions } from "./options.js";
import { Model } from "./data/model.js";
import { server } from "./data/source.js";
import { Step } from "./step.js";
import { createStore, same, settle } from "./store.js";
import { tellStep } from "./together.js";

/** @import { Chosen, Component, Meta, Mounted, Wanted } from "./types" */
/** @typedef {{ meta: Meta, array?: Uint8Array }} Data */
/** @typedef {Mounted & { model: Model }} Page */

export const mount = mounting({
  sheets: ["style.css"],
  room: 600,
  parameters: ["kind", "layer", "head", "step"],
  options: ["pinned", ...new Set([...OPTIONS.inspect, ...OPTIONS.step])],
  shown: (/** @type {Meta} */ { trace_id: id, compare }) => [id, compare?.trace_id, compare?.role, compare?.label],
  prepare,
  open,
});

/**
 * The trace with the kind of attention that will be shown: what was drawn stays until then.
 * @param {Component<Data>} component
 * @param {Wanted | null} wanted
 * @param {Page | null} earlier
 */
async function prepare({ data, source }, wanted, earlier) {
  const model = new Model(data.meta, data.array ?? null, source ?? server);
  if (model.kinds.length) await model.load(settle({ ...earlier?.selection(), ...wanted }, model).kind);
  return model;
}

/**
 * @param {HTMLElement} root
 * @param {Data} data
 * @param {Wanted | null} wanted
 * @param {Page | null} earlier
 * @param {Model} model
 * @returns {Page}
 */
function open(root, { meta }, wanted, earlier, model) {
  const asked = { ...before(earlier, meta), ...wanted };
  earlier?.stop();
  if (model.kinds.length === 0) return nothing(root, model, meta);
  const step = meta.ui.view === "step";
  // In the last row nothing is masked, in the first one everything but one key.
  if (step) asked.step ??= Math.ceil(model.steps / 2);
  if (asked.step && model.steps) tellStep({ id: meta.trace_id, step: settle(asked, model).step });
  // Chosen while this one was on its way: its pictures are still to come.
  const settled = settle(asked, model);
  const here = model.kinds.find((kind) => model.has(kind));
  const chosen = model.has(settled.kind) ? settled : settle({ ...asked, kind: here }, model);
  const options = settleOptions(asked, model, chosen.kind, step ? OPTIONS.step : OPTIONS.inspect);
  const store = createStore(
    /** @type {Chosen} */ ({ hover: null, pointed: false, found: null, ...options, ...chosen }),
  );
  return new (step ? Step : Inspect)(root, model, store, meta, model.ask !== server);
}

/**
 * What stays chosen of an earlier trace. Of another sentence it is not what is pinned, and that is
 * shown whole, as a first one is; the same one, looked at otherwise (another target, the mask lifted),
 * stays at its step.
 * @param {Page | null} earlier
 * @param {Meta} meta
 * @returns {Wanted}
 */
function before(earlier, meta) {
  if (!earlier) return {};
  const last = earlier.model.meta;
  const selection = earlier.selection();
  if (last.trace_id === meta.trace_id) return selection;
  return {
    ...selection,
    pinned: null,
    held: null,
    zoom: null,
    ...(same(last.source, meta.source) ? {} : { step: null }),
  };
}

/**
 * A trace without any attention.
 * @param {HTMLElement} root
 * @param {Model} model
 * @param {Meta} meta
 * @returns {Page}
 */
function nothing(root, model, meta) {
  const words = meta.ui.text;
  root.replaceChildren(h("p", { class: "hl-empty" }, words.nothing));
  const idle = () => {};
  return {
    model,
    store: createStore({}),
    chosen: false,
    handled: 0,
    selection: () => ({}),
    adopt: idle,
    setTheme: () => false,
    schedule: idle,
    draw: idle,
    state: () => ({ ready: false }),
    stop: idle,
  };
}
