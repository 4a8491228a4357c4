// Entry of the inspector: every head of one look (viz/inspector/pack.py), or of two beside
// each other.
import { mounting } from "./host.js";
import { Inspector } from "./inspector.js";
import { Model } from "./model.js";
import { PLAIN } from "./sampling.js";
import { server } from "./source.js";
import { createStore, same, selectionOf, settle } from "./store.js";

export const mount = mounting({
  sheets: ["style.css"],
  room: 600,
  parameters: ["kind", "layer", "head", "step"],
  shown: ({ trace_id: id, compare }) => [id, compare?.trace_id, compare?.role, compare?.label],
  prepare,
  open,
});

/** The look with the kind of attention that will be shown: what was drawn stays until then. */
async function prepare({ data, source }, wanted, earlier) {
  const model = new Model(data.meta, data.array ?? null, source ?? server);
  if (model.kinds.length) await model.load(settle({ ...(earlier?.selection() ?? {}), ...(wanted ?? {}) }, model).kind);
  return model;
}

function open(root, data, wanted, earlier, model) {
  const before = earlier?.selection() ?? {};
  const other = earlier && earlier.model.meta.trace_id !== data.meta.trace_id;
  if (other) before.pinned = null; // a cell of another sentence means nothing here
  // Another sentence is shown whole, as a first one is; the same one, looked at otherwise
  // (another target, the mask lifted), stays at its step.
  if (other && !same(earlier.model.meta.source, data.meta.source)) before.step = null;
  const last = earlier?.store.get();
  earlier?.stop();
  const looks = { hover: null, pointed: false, held: null, trim: last?.trim ?? 0, kept: last?.kept ?? [], words: last?.words ?? false, order: last?.order ?? "layer", top: last?.top ?? null, mode: last?.mode ?? "matrix", stretch: last?.stretch ?? false, threshold: last?.threshold ?? 0.06, shape: last?.shape ?? PLAIN, shaping: last?.shaping ?? false };
  const chosen = model.kinds.length ? settle({ ...before, ...(wanted ?? {}) }, model) : {};
  // Chosen while this one was on its way: its pictures are still to come.
  if (chosen.kind && !model.has(chosen.kind)) chosen.kind = model.kinds.find((kind) => model.has(kind));
  return new Inspector(root, model, createStore({ ...looks, ...chosen }), data.meta, model.ask !== server);
}
