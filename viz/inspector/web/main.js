// Entry of the inspector: every head of one trace (viz/inspector/pack.py), or of two beside
// each other.
import { mounting } from "./host.js";
import { Inspector } from "./inspector.js";
import { OPTIONS, settleOptions } from "./options.js";
import { Model } from "./data/model.js";
import { server } from "./data/source.js";
import { createStore, same, selectionOf, settle } from "./store.js";

export const mount = mounting({
  sheets: ["style.css"],
  room: 600,
  parameters: ["kind", "layer", "head", "step"],
  options: ["pinned", ...new Set([...OPTIONS.inspect, ...OPTIONS.step])],
  shown: ({ trace_id: id, compare }) => [id, compare?.trace_id, compare?.role, compare?.label],
  prepare,
  open,
});

/** The trace with the kind of attention that will be shown: what was drawn stays until then. */
async function prepare({ data, source }, wanted, earlier) {
  const model = new Model(data.meta, data.array ?? null, source ?? server);
  if (model.kinds.length) await model.load(settle({ ...(earlier?.selection() ?? {}), ...(wanted ?? {}) }, model).kind);
  return model;
}

function open(root, data, wanted, earlier, model) {
  const before = earlier?.selection() ?? {};
  const other = earlier && earlier.model.meta.trace_id !== data.meta.trace_id;
  if (other) Object.assign(before, { pinned: null, held: null }); // of another sentence
  // Another sentence is shown whole, as a first one is; the same one, looked at otherwise
  // (another target, the mask lifted), stays at its step.
  if (other && !same(earlier.model.meta.source, data.meta.source)) before.step = null;
  earlier?.stop();
  const asked = { ...before, ...(wanted ?? {}) };
  // In the last row nothing is masked, in the first one everything but one key.
  if (data.meta.ui.view === "step") asked.step ??= Math.ceil(model.steps / 2);
  // Chosen while this one was on its way: its pictures are still to come.
  const here = ({ kind }) => kind === undefined || model.has(kind);
  const settled = model.kinds.length ? settle(asked, model) : {};
  const chosen = here(settled)
    ? settled
    : settle({ ...asked, kind: model.kinds.find((kind) => model.has(kind)) }, model);
  const options = model.kinds.length ? settleOptions(asked, model, chosen.kind, OPTIONS[data.meta.ui.view]) : {};
  const store = createStore({ hover: null, pointed: false, ...options, ...chosen });
  return new Inspector(root, model, store, data.meta, model.ask !== server);
}
