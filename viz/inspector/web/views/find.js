// @ts-check
// A field that finds tokens in a long text: the part in view goes to each of them, and marks it.
import { visible, format } from "../data/text.js";
import { h, signButton, text } from "./dom.js";

/** @import { Chosen, Inspecting, Token } from "../types" */
/** @import { Zoom } from "./zoom.js" */

/**
 * Cells [row, column] of the tokens that a text is in, in reading order; -1 on an axis that has none of it. What
 * reads and is read is one token: in an encoder a row and the column of the same place, in a decoder the row
 * that writes a token and the column where it was read.
 * @param {Token[]} queries
 * @param {Token[]} keys
 * @param {number | null} apart how many places later a query's token is a key, null where axes are of two texts
 * @param {string} sought
 */
export function matches(queries, keys, apart, sought) {
  const wanted = sought.trim().toLocaleLowerCase();
  if (wanted === "") return [];
  const has = (/** @type {Token} */ token) =>
    !token.special && visible(token.text).toLocaleLowerCase().includes(wanted);
  const [rows, columns] = [queries.map(has), keys.map(has)];
  /** @type {number[][]} */
  const found = [];
  const joined = new Set();
  rows.forEach((here, row) => {
    if (!here) return;
    const column = apart === null ? -1 : row + apart;
    const one = columns[column] === true && keys[column].text === queries[row].text;
    if (one) joined.add(column);
    found.push([row, one ? column : -1]);
  });
  columns.forEach((here, column) => {
    if (here && !joined.has(column)) found.push([-1, column]);
  });
  return found;
}

/**
 * @param {Inspecting} app
 * @param {Zoom} zoom
 */
export function createFind(app, zoom) {
  const { words, store } = app;
  const field = h("input", {
    type: "search",
    class: "hl-find-field",
    placeholder: words.find,
    "aria-label": words.find,
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 80,
    "data-testid": "hl-find",
  });
  const count = h("span", { class: "hl-find-count", "aria-hidden": "true", "data-testid": "hl-find-count" });
  const told = h("span", { class: "hl-hidden", role: "status", "data-testid": "hl-find-told" });
  const before = signButton("‹", words.find_previous, () => go(Math.max(at, 0) - 1));
  const after = signButton("›", words.find_next, () => go(at + 1));
  const element = h("div", { class: "hl-find", role: "search" }, field, before, after, count, told);

  /** @type {number[][]} */
  let found = [];
  let at = -1;
  let asked = ""; // what `found` is of

  /** @param {Chosen} state */
  const key = ({ kind, words: inWords }) => `${kind}|${inWords}|${field.value}`;

  function search() {
    const state = store.get();
    const { kind } = state;
    /** @type {Record<string, number | null>} */
    const apart = { encoder_self: 0, decoder_self: 1, cross: null };
    asked = key(state);
    found = matches(app.seen.queries(kind), app.seen.keys(kind), apart[kind], field.value);
    at = -1;
  }

  /** @param {number} next */
  function go(next) {
    if (found.length === 0) return;
    at = (next + found.length) % found.length;
    const cell = found[at];
    store.set({ found: cell });
    zoom.reach(cell);
  }

  field.oninput = () => {
    search();
    if (found.length > 0) go(0);
    else store.set({ found: null });
    tell(); // what is not there changes nothing that is drawn
  };
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      event.preventDefault();
      go(event.shiftKey ? Math.max(at, 0) - 1 : at + 1);
    } else if (event.key === "Escape" && field.value !== "") {
      event.preventDefault();
      field.value = "";
      search();
      store.set({ found: null });
      tell();
    }
  };

  /** What is said of the token that is marked. */
  function said() {
    if (field.value.trim() === "") return "";
    if (found.length === 0) return words.find_none;
    if (at < 0) return String(found.length); // none of them is marked
    const [row, column] = found[at];
    const state = store.get();
    const token = row >= 0 ? app.seen.queries(state.kind)[row] : app.seen.keys(state.kind)[column];
    const places = [
      row >= 0 ? format(words.find_query, { at: row + 1 }) : "",
      column >= 0 ? format(words.find_key, { at: column + 1 }) : "",
    ];
    const position = format(words.find_of, { at: at + 1, count: found.length });
    return [visible(token.text), position, ...places.filter(Boolean)].join(", ");
  }

  function tell() {
    const none = found.length === 0;
    before.disabled = after.disabled = none;
    const empty = field.value.trim() === "";
    text(count, empty ? "" : none ? words.find_none : at < 0 ? String(found.length) : `${at + 1} / ${found.length}`);
    text(told, said());
  }

  return {
    element,
    /** @param {Chosen} state */
    render(state) {
      element.hidden = !zoom.on();
      if (asked !== key(state)) search();
      else if (!state.found) at = -1; // another view let go of it
      tell();
    },
  };
}
