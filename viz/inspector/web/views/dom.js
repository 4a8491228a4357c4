// @ts-check
// A few lines instead of a framework.
import { visible } from "../data/text.js";

/** @import { Child, Token, Words } from "../types" */

/**
 * Element with attributes; children are text or nodes, null ones are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined>} attributes
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A row of a table.
 * @param {Child} name
 * @param {Child[]} cells
 * @param {string | null} className
 */
export const tableRow = (name, cells, className = null) =>
  h("tr", { class: className }, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));

/**
 * A small button with a sign for what it does.
 * @param {string} sign
 * @param {string} label
 * @param {() => void} act
 * @param {string} [testid]
 */
export function signButton(sign, label, act, testid) {
  const about = { "aria-label": label, title: label, "data-testid": testid };
  const button = h("button", { type: "button", class: "hl-zoom-button", ...about }, sign);
  button.onclick = act;
  return button;
}

/**
 * A slider that keeps its keys to itself.
 * @param {string} testid
 * @param {string} label
 * @param {{ min: number, max?: number, step: number }} range
 * @param {(value: number) => void} choose
 */
export function createSlider(testid, label, range, choose) {
  const element = h("input", { type: "range", ...range, "aria-label": label, "data-testid": testid });
  element.oninput = () => choose(Number(element.value));
  element.onkeydown = (event) => event.stopPropagation();
  return {
    element,
    /**
     * @param {number} value
     * @param {string} said what it stands for
     */
    render(value, said) {
      if (Number(element.value) !== value) element.value = String(value);
      attribute(element, "aria-valuetext", said);
    },
  };
}

/**
 * A surface that keys walk over, and what they reach is spoken.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} live
 * @param {Record<string, string>} attributes
 */
export const walkable = (canvas, live, attributes) =>
  h("div", { tabindex: "0", role: "group", "aria-describedby": live.id, ...attributes }, canvas);

/** A bar of colours between the numbers at its ends. */
export function createScale(attributes = {}) {
  const [low, bar, high] = [h("span"), h("span", { class: "hl-ramp", "aria-hidden": "true" }), h("span")];
  return { element: h("div", { class: "hl-scale", ...attributes }, low, bar, high), low, bar, high };
}

/**
 * Names of the axes of a matrix; the style sheet lays them above and beside it.
 * @param {Words} words
 */
export function axisNames(words) {
  const arrow = (/** @type {string} */ shown) => h("span", { "aria-hidden": "true" }, shown);
  return [
    h("div", { class: "hl-axis hl-axis-key" }, words.axis_key, arrow(" →")),
    h("div", { class: "hl-axis hl-axis-query" }, arrow("← "), words.axis_query),
  ];
}

/**
 * The names stand along the cells that are drawn, not along the room that is kept for them.
 * @param {HTMLElement[]} names
 * @param {{ left: number, top: number, width: number, height: number }} box
 */
export function placeNames([key, query], { left, top, width, height }) {
  const [wide, tall] = [left + width, top + height].map((size) => `${Math.round(size)}px`);
  if (key.style.width !== wide) key.style.width = wide;
  if (query.style.height !== tall) query.style.height = tall;
}

/**
 * A token in running text: literal, isolated from the direction of its surroundings.
 * @param {Pick<Token, "text" | "special"> & { dash?: boolean }} token
 */
export function tokenNode(token) {
  const names = ["hl-token", token.special && "hl-special", token.dash && "hl-dash"];
  return h("bdi", { class: names.filter(Boolean).join(" ") }, visible(token.text));
}

const JAMO = /^[\u1100-\u11ff]$/;
const BYTE = /^<0x([0-9A-F]{2})>$/;
const SPACES = new Set(["\u2581", " "]); // pieces that only part two words

/** A letter in all its parts, as `parts` of core/text/utf8.py tells them. */
const PARTED = /(.) 1\/2\1 2\/2|(.) 1\/3\2 2\/3\2 3\/3|(.) 1\/4\3 2\/4\3 3\/4\3 4\/4/gsu;

/** It is no letter of its word; Ġ is a letter of Maltese, too. */
export const isSpace = (/** @type {Token} */ { piece, text }) => SPACES.has(piece) || (piece === "Ġ" && text === "␣");

/** A text as it is, to be made visible with what stands beside it; but for blanks. */
const kept = (/** @type {string} */ text) => (text.trim() ? text : visible(text));

/**
 * Several tokens as the words they make, joined where a word goes on: bytes as the characters that
 * are whole, jamo as syllables, a space as such unless it is the last.
 * @param {Token[]} tokens
 */
export function joined(tokens) {
  const alone = new Map(); // how a jamo is shown that is no part of a syllable yet
  const shown = tokens.filter((token) => !token.special);
  let out = "";
  let parted = false;
  for (let at = 0; at < shown.length; at++) {
    const token = shown[at];
    if (isSpace(token) && at < shown.length - 1) {
      parted = true;
      continue;
    }
    const jamo = JAMO.test(token.piece);
    if (jamo) alone.set(token.piece, visible(token.text));
    const whole = character(shown, at);
    if (out !== "" && (parted || !token.joint)) out += " ";
    out += whole?.text ?? (jamo ? token.piece : kept(token.text));
    at += whole ? whole.bytes - 1 : 0;
    parted = false;
  }
  out = out.replace(PARTED, (letter) => Array.from(letter)[0]);
  if (alone.size) out = out.normalize("NFC").replace(/[\u1100-\u11ff]/g, (letter) => alone.get(letter) ?? letter);
  return out && visible(out);
}

/**
 * The character that bytes make from here on; null where there are none, or not all of its.
 * @param {Token[]} tokens
 * @param {number} from
 */
function character(tokens, from) {
  const first = BYTE.exec(tokens[from].piece);
  if (!first) return null;
  const lead = Number.parseInt(first[1], 16);
  const bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4; // UTF-8, RFC 3629
  const pieces = tokens.slice(from, from + bytes).map((token) => BYTE.exec(token.piece)?.[1] ?? "");
  const values = Uint8Array.from(pieces, (piece) => Number.parseInt(piece, 16));
  try {
    return { text: kept(new TextDecoder("utf-8", { fatal: true }).decode(values)), bytes };
  } catch {
    return null;
  }
}

/** @type {(element: HTMLElement, box: number[]) => void} lays it where a box is, in pixels */
export function place(element, [left, top, width, height]) {
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * setAttribute only where it differs: attributes wake up accessibility trees.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean} value
 */
export function attribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** @type {(element: Element, value: string) => void} */
export function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}
