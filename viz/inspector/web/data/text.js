// @ts-check
// Tokens and numbers as people read them. Token text is data: it leaves here as plain strings
// that only ever reach textContent or a canvas.

// What joins pictures to one, or chooses how a sign is drawn, stays as it is; spelt out is what
// leaves no mark of its own, or turns the order round. The same rules as viz/text/tokens.py.
const UNSEEN = new RegExp(
  [
    String.raw`(?!\u2800)\p{So}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?\u200d(?=\p{S})`,
    String.raw`(?!\u2800)[\p{S}\p{P}\p{N}][\ufe0e\ufe0f]`,
    String.raw`([\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800])`,
  ].join("|"),
  "gu",
);

/**
 * A string in which nothing is invisible: control and direction characters are spelt out.
 * @param {string} text
 */
export function visible(text) {
  const shown = text.replace(UNSEEN, (whole, /** @type {string | undefined} */ unseen) => {
    if (unseen === undefined) return whole;
    if (unseen === "\n") return "↵";
    if (unseen === "\t") return "⇥";
    return `⟨U+${(unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
  if (shown === "") return "∅";
  return shown.trim() === "" ? "␣".repeat(shown.length) : shown;
}

/** Whether nothing of a text is a letter or a digit, as viz/text/tokens.py has it. */
export const isSign = (/** @type {string} */ shown) => !/[\p{L}\p{N}]/u.test(shown);

/** A token's text within a sentence: signs in quotation marks, or they would read as the sentence's own. */
export const quoted = (/** @type {string} */ shown) => (isSign(shown) ? `“${shown}”` : shown);

/**
 * At most `limit` characters, never half a surrogate pair, no joiner at the end.
 * @param {string} text
 * @param {number} limit
 */
export function shorten(text, limit) {
  if (text.length <= limit || (text.length <= 2 * limit && Array.from(text).length <= limit)) return text;
  return `${Array.from(text.slice(0, limit * 2))
    .slice(0, limit - 1)
    .join("")
    .replace(/\u200d$/, "")}…`;
}

/** Three digits, and never 0.000 for what is more than nothing. */
export const weight = (/** @type {number} */ value) => (value > 0 && value < 0.0005 ? "< 0.001" : value.toFixed(3));

/** Inside a cell, three digits: ".774", "1.00". */
export const cellWeight = (/** @type {number} */ value) =>
  value < 0.9995 ? value.toFixed(3).slice(1) : value.toFixed(2);

/** The same for a change: "+.774", "−1.00". */
export const signedCell = (/** @type {number} */ value) => withSign(value, cellWeight(Math.abs(value)));

/** What is shown as zero has no sign. */
const withSign = (/** @type {number} */ value, /** @type {string} */ shown) =>
  /[1-9]/.test(shown) ? (value < 0 ? "−" : "+") + shown : shown;

/** What a number computed from a head says: only exact weights are said without a mark. */
export const near = (/** @type {string} */ status, /** @type {string} */ shown, mark = "≈\u00a0") =>
  status === "exact" || shown.startsWith("<") ? shown : mark + shown;

/** @param {number} value */
export function percent(value) {
  if (value > 0 && value < 0.0005) return "< 0.1\u00a0%";
  if (value < 1 && value >= 0.9995) return "> 99.9\u00a0%";
  return `${(value * 100).toFixed(1)}\u00a0%`;
}

/** A share up to the digit that `percent` has of it: differences agree with what stands beside them. */
export const printed = (/** @type {number} */ value) => Number((value * 100).toFixed(1)) / 100;

/** A change of a share, in points, as viz/screens/step.py has it in its table. */
export const points = (/** @type {number} */ change) => withSign(change, Math.abs(change * 100).toFixed(1));

/** Whole per cent, and never 0 for what is more than nothing. */
export const wholePercent = (/** @type {number} */ value) =>
  value > 0 && value < 0.005 ? "< 1\u00a0%" : `${Math.round(value * 100)}\u00a0%`;

export const signed = (/** @type {number} */ value) => withSign(value, Math.abs(value).toFixed(3));

export const score = (/** @type {number} */ value) => signed(value).replace("+", "");

/**
 * What was measured of a head, on its pieces; where they are `summed` to words, that is said.
 * @param {string} said
 * @param {import("../types").Words} words
 * @param {boolean} summed
 */
export const measured = (said, words, summed) => (said && summed ? `${said} ${words.units_measured}` : said);

/**
 * Plain text of a template with `{name}` holes.
 * @param {string} template
 * @param {Record<string, string | number>} values
 */
export function format(template, values) {
  return template.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}

/**
 * The same with nodes in the holes; values are never scanned for holes again.
 * @param {string} template
 * @param {Record<string, string | Node>} values
 */
export function fragment(template, values) {
  const out = document.createDocumentFragment();
  template.split(/(\{\w+\})/).forEach((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = name === undefined ? undefined : values[name];
    out.append(value ?? part);
  });
  return out;
}
