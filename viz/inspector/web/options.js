// How a look is looked at beside the head and the step in view: each choice has one short text,
// the same in the address, in what Python hears and in a file, and none at its default. Texts
// count from 1, the state from 0. viz/inspector/options.py is the twin.
import { MOST as HEADS } from "./views/overlay.js";
import { PLAIN } from "./data/sampling.js";
import { same } from "./store.js";

const PAIR = /^([1-9]\d{0,3})\.([1-9]\d{0,3})$/;
const WHOLE = /^[1-9]\d{0,3}$/;
const wrong = undefined; // what a text that cannot be used is read as

const pair = (text) => PAIR.exec(text)?.slice(1).map((at) => at - 1);
const sayPair = ([a, b]) => `${a + 1}.${b + 1}`;

/** A choice that lies in the state by its own name. */
const own = (name, initial, read, say = String) => ({
  initial, read, say, get: (state) => state[name], patch: (value) => ({ [name]: value }),
});
/** One of the three numbers of the next token's shape. */
const shape = (name, read) => ({
  initial: PLAIN[name], read, say: String, get: (state) => state.shape?.[name],
  patch: (value, before) => ({ shape: { ...(before.shape ?? PLAIN), [name]: value } }),
});
const oneOf = (...known) => (text) => (known.includes(text) ? text : wrong);
const onOff = (name) => own(name, false, (text) => ({ on: true, off: false })[text], () => "on");
const whole = (text) => (WHOLE.test(text) ? Number(text) : wrong);

function decimal(low, high, digits) {
  const form = new RegExp(`^\\d(\\.\\d{1,${digits}})?$`);
  return (text) => (form.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : wrong);
}

function held(text, { sites }, kind) {
  const [axis, place, more] = text.split(".");
  const at = whole(place ?? "");
  const { rows, columns } = sites.get(kind);
  if (more !== undefined || at === wrong || !["query", "key"].includes(axis)) return wrong;
  if (at > (axis === "query" ? rows : columns)) return wrong;
  return axis === "query" ? [at - 1, -1] : [-1, at - 1];
}

function kept(text, { kinds, sites }) {
  const heads = [...new Set(text.replaceAll(",", " ").split(" "))].map(pair);
  if (heads.length > HEADS - 1 || heads.includes(wrong)) return wrong;
  return heads.filter(([layer, head]) => kinds.some((kind) => layer < sites.get(kind).layers && head < sites.get(kind).heads));
}

const order = (text, model) => (model.kinds.some((kind) => model.traitsOf(kind).includes(text)) ? text : wrong);

const TABLE = {
  held: own("held", null, held, ([row, column]) => (row < 0 ? `key.${column + 1}` : `query.${row + 1}`)),
  mode: own("mode", "matrix", oneOf("matrix", "lines")),
  words: onOff("words"),
  order: own("order", "layer", order),
  top: own("top", null, whole),
  kept: own("kept", [], kept, (heads) => heads.map(sayPair).join(" ")),
  trim: own("trim", 0, decimal(0, 0.5, 2)),
  stretch: onOff("stretch"),
  threshold: own("threshold", 0.06, decimal(0, 0.5, 2)),
  temperature: shape("temperature", decimal(0.1, 3, 1)),
  top_k: shape("topK", whole),
  top_p: shape("topP", decimal(0.05, 1, 2)),
  shaping: onOff("shaping"),
};

/** Names of the options that a view has controls of; the others it leaves alone. */
export const OPTIONS = {
  inspect: Object.keys(TABLE),
  step: ["order", "top", "temperature", "top_k", "top_p", "shaping"],
};

/** Texts of a state's options by name, null for one at its default. */
export function optionsOf(state, names) {
  return Object.fromEntries(names.map((name) => {
    const { get, initial, say } = TABLE[name];
    const value = get(state) ?? initial;
    return [name, same(value, initial) ? null : say(value)];
  }));
}

/** The part of a state that texts stand for, from any that may not fit the model. */
export function settleOptions(wanted, model, kind, names) {
  const state = { shape: PLAIN };
  for (const [name, { initial, read, patch }] of Object.entries(TABLE)) {
    const text = names.includes(name) ? String(wanted[name] ?? "") : "";
    const value = text === "" || text.length > 100 ? initial : read(text, model, kind) ?? initial;
    Object.assign(state, patch(value, state));
  }
  return state;
}
