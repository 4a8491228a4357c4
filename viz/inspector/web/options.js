// @ts-check
// How a trace is drawn beside the head and the step in view: each choice has one short text,
// the same in the address, in what Python hears and in a file, and none at its default. Texts
// count from 1, the state from 0. viz/inspector/options.py is the twin.
import { MOST as HEADS } from "./views/overlay.js";
import { PLAIN } from "./data/sampling.js";
import { same } from "./store.js";

/** @import { Extents, Kind, Part, Shape, Wanted } from "./types" */
/**
 * What options are settled for.
 * @typedef {Extents & { traitsOf(kind: Kind): string[] }} Fitted
 */
/**
 * One choice. `read` gives undefined for a text that cannot be used.
 * @typedef {{
 *   initial: any, read: (text: string, model: Fitted, kind: Kind) => any, say: (value: any) => string,
 *   get: (state: Record<string, any>) => any,
 *   patch: (value: any, before: Record<string, any>) => Record<string, any>,
 * }} Option
 */

const PAIR = /^([1-9]\d{0,3})\.([1-9]\d{0,3})$/;
const PART = /^([1-9]\d{0,3})-([1-9]\d{0,3})\.([1-9]\d{0,3})-([1-9]\d{0,3})$/;
const WHOLE = /^[1-9]\d{0,3}$/;
const wrong = undefined; // what a text that cannot be used is read as

/** Layer and head, or row and column. */
export const pair = (/** @type {string} */ text) =>
  PAIR.exec(text)
    ?.slice(1)
    .map((at) => Number(at) - 1);
export const sayPair = (/** @type {number[]} */ [a, b]) => `${a + 1}.${b + 1}`;

/**
 * A choice that lies in the state by its own name.
 * @param {string} name
 * @param {any} initial
 * @param {Option["read"]} read
 * @param {Option["say"]} say
 * @returns {Option}
 */
const own = (name, initial, read, say = String) => ({
  initial,
  read,
  say,
  get: (state) => state[name],
  patch: (value) => ({ [name]: value }),
});
/**
 * One of the three numbers of the next token's shape.
 * @param {keyof Shape} name
 * @param {Option["read"]} read
 * @returns {Option}
 */
const shape = (name, read) => ({
  initial: PLAIN[name],
  read,
  say: String,
  get: (state) => state.shape?.[name],
  patch: (value, before) => ({ shape: { ...(before.shape ?? PLAIN), [name]: value } }),
});
const oneOf =
  (/** @type {string[]} */ ...known) =>
  (/** @type {string} */ text) =>
    known.includes(text) ? text : wrong;
const onOff = (/** @type {string} */ name) =>
  own(
    name,
    false,
    (text) => (["on", "off"].includes(text) ? text === "on" : wrong),
    () => "on",
  );
const whole = (/** @type {string} */ text) => (WHOLE.test(text) ? Number(text) : wrong);

/**
 * @param {number} low
 * @param {number} high
 * @param {number} digits after the point, at most
 */
function decimal(low, high, digits) {
  const form = new RegExp(`^\\d(\\.\\d{1,${digits}})?$`);
  return (/** @type {string} */ text) =>
    form.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : wrong;
}

/** @type {Option["read"]} */
function held(text, { sites }, kind) {
  const [axis, place, more] = text.split(".");
  const at = whole(place ?? "");
  const { rows, columns } = sites.get(kind) ?? { rows: 0, columns: 0 };
  if (more !== undefined || at === wrong || !["query", "key"].includes(axis)) return wrong;
  if (at > (axis === "query" ? rows : columns)) return wrong;
  return axis === "query" ? [at - 1, -1] : [-1, at - 1];
}

/** @type {Option["read"]} */
function zoom(text, { sites }, kind) {
  const { rows, columns } = sites.get(kind) ?? { rows: 0, columns: 0 };
  const [top, bottom, left, right] = PART.exec(text)?.slice(1).map(Number) ?? [0, 0, 0, 0];
  if (top === 0 || top > Math.min(bottom, rows) || left > Math.min(right, columns)) return wrong;
  return { top: top - 1, bottom: Math.min(bottom, rows), left: left - 1, right: Math.min(right, columns) };
}
const sayZoom = (/** @type {Part} */ { top, bottom, left, right }) => `${top + 1}-${bottom}.${left + 1}-${right}`;

/** @type {Option["read"]} */
function kept(text, { kinds, sites }) {
  const heads = [...new Set(text.replaceAll(",", " ").split(" "))].map(pair);
  if (heads.length > HEADS - 1) return wrong;
  const stacks = kinds.map((kind) => sites.get(kind) ?? { layers: 0, heads: 0 });
  const there = [];
  for (const at of heads) {
    if (at === wrong) return wrong;
    if (stacks.some(({ layers, heads: wide }) => at[0] < layers && at[1] < wide)) there.push(at);
  }
  return there;
}

/** @type {Option["read"]} */
const order = (text, model) => (model.kinds.some((kind) => model.traitsOf(kind).includes(text)) ? text : wrong);

/** @type {Record<string, Option>} */
const TABLE = {
  held: own("held", null, held, ([row, column]) => (row < 0 ? `key.${column + 1}` : `query.${row + 1}`)),
  zoom: own("zoom", null, zoom, sayZoom),
  mode: own("mode", "matrix", oneOf("matrix", "lines")),
  words: onOff("words"),
  order: own("order", "layer", order),
  top: own("top", null, whole),
  kept: own("kept", [], kept, (/** @type {number[][]} */ heads) => heads.map(sayPair).join(" ")),
  trim: own("trim", 0, decimal(0, 0.5, 2)),
  stretch: onOff("stretch"),
  threshold: own("threshold", 0.06, decimal(0, 0.5, 2)),
  temperature: shape("temperature", decimal(0.1, 3, 1)),
  top_k: shape("topK", whole),
  top_p: shape("topP", decimal(0.05, 1, 2)),
  shaping: onOff("shaping"),
  stages: onOff("stages"),
};

/** Names of the options that a view has controls of; the others it leaves alone. */
export const OPTIONS = {
  inspect: Object.keys(TABLE).filter((name) => name !== "stages"),
  step: ["order", "top", "temperature", "top_k", "top_p", "shaping", "stages"],
};

/**
 * Texts of a state's options by name, null for one at its default.
 * @param {Record<string, any>} state
 * @param {string[]} names
 * @returns {Record<string, string | null>}
 */
export function optionsOf(state, names) {
  return Object.fromEntries(
    names.map((name) => {
      const { get, initial, say } = TABLE[name];
      const value = get(state) ?? initial;
      return [name, same(value, initial) ? null : say(value)];
    }),
  );
}

/**
 * The part of a state that texts stand for, from any that may not fit the model.
 * @param {Wanted} wanted
 * @param {Fitted} model
 * @param {Kind} kind
 * @param {string[]} names
 * @returns {Record<string, any>}
 */
export function settleOptions(wanted, model, kind, names) {
  /** @type {Record<string, any>} */
  const state = { shape: PLAIN };
  for (const [name, { initial, read, patch }] of Object.entries(TABLE)) {
    const text = names.includes(name) ? String(wanted[name] ?? "") : "";
    const value = text === "" || text.length > 100 ? initial : (read(text, model, kind) ?? initial);
    Object.assign(state, patch(value, state));
  }
  return state;
}
