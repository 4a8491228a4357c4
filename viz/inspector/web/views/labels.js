// @ts-check
// Tokens as labels of an axis on a canvas: as long as there is room for, upright or slanted.
import { shorten, visible } from "../data/text.js";

/** @import { Drawing, Label, Theme, Token } from "../types" */

const SLANT = (62 * Math.PI) / 180;
const FULL = /[\u2e80-\uffdc]/;
const DASH = 7; // pixels of a joint and what is left free behind it
const REACH = 14; // pixels that a slanted name leans over its neighbour, as high as that one's letters
const LOOSE = 20; // once labels must be left out, those that stay get air

/**
 * At most so many letters, the number of a letter's part among them: it alone may tell two tokens apart.
 * @param {string} shown
 * @param {number} letters
 */
function cut(shown, letters) {
  const part = / \d\/\d$/.exec(shown)?.[0] ?? "";
  return shorten(shown.slice(0, shown.length - part.length), Math.max(1, letters - part.length)) + part;
}

/**
 * Labels of an axis: text, joint mark, special; measured once a font, none over `limit`.
 * @param {Token[]} tokens
 * @param {Drawing} context
 * @param {string} font
 * @param {number} limit
 * @returns {Label[]}
 */
export function labelsOf(tokens, context, font, limit) {
  context.font = font;
  return tokens.map(({ text: whole, dash, special }) => {
    const shown = visible(whole);
    let letters = Math.min(Array.from(shown.slice(0, 80)).length, 40);
    let label = sized({ text: cut(shown, letters), dash, special, width: 0 }, context);
    while (label.width > limit && letters > 2) {
      letters = Math.max(2, Math.min(letters - 1, Math.floor((letters * limit) / label.width)));
      label = sized({ ...label, text: cut(shown, letters) }, context);
    }
    return label;
  });
}

/**
 * A label with its width in the font that is set, which may be bolder than at first.
 * @param {Label} label
 * @param {Drawing} context
 * @returns {Label}
 */
export function sized(label, context) {
  const marks = (label.dash ? DASH : 0) + (label.special ? 8 : 0);
  return { ...label, width: context.measureText(label.text).width + marks };
}

/** Do labels as wide as the widest all stand upright beside each other? */
export const flat = (/** @type {number} */ widest, /** @type {number} */ cell) => widest + 6 <= cell;

/**
 * A column's label above a cell whose middle is x: upright where all are, or where it fits and one that leans
 * over from its left does not reach it; else slanted.
 * @param {Drawing} context
 * @param {Label} label
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {boolean} upright
 * @param {string} colour
 * @param {Theme} theme
 */
export function drawColumnLabel(context, label, x, y, cell, upright, colour, theme) {
  if (upright || Math.max(label.width + 4, label.width / 2 + REACH) <= cell) {
    drawLabel(context, label, x - label.width / 2, y - 10, "left", colour, theme);
    return;
  }
  context.save();
  context.translate(x - 2, y - 6);
  context.rotate(-SLANT);
  if (isLetter(label)) drawLetter(context, label, colour, theme);
  else drawLabel(context, label, 0, 0, "left", colour, theme, cell * Math.sin(SLANT));
  context.restore();
}

/** A letter alone, or what closes a syllable ("-ㄱ"): turned it would be another one, as ㅡ and ㅣ, N and Z. */
const isLetter = (/** @type {Label} */ { text, special }) => !special && /^-?.$/u.test(text);

/**
 * A letter in its place on the slant that is set, but upright; its joint leans as all others do.
 * @param {Drawing} context
 * @param {Label} label
 * @param {string} colour
 * @param {Theme} theme
 */
function drawLetter(context, label, colour, theme) {
  const before = label.dash ? DASH : 0;
  const width = label.width - before;
  drawLabel(context, { ...label, text: "" }, 0, 0, "left", colour, theme);
  context.translate(before + width / 2, 0);
  context.rotate(SLANT);
  drawLabel(context, { ...label, dash: false, width }, -width / 2, 0, "left", colour, theme);
}

/**
 * Pixels along an axis that slanted labels need, in letters of `size`: Hangul and pictures fill their line.
 * @param {Label[]} labels
 * @param {number} size
 */
export function pitchOf(labels, size) {
  const full = labels.some((label) => FULL.test(label.text) && !isLetter(label));
  return size * (full ? 1.35 : 1.2);
}

/** Room [above, to the right] that slanted labels of this width take. */
export const slantRoom = (/** @type {number} */ width) => [Math.sin(SLANT) * width, Math.cos(SLANT) * width];

/**
 * One label in the line y, `tall` pixels of it; `align` "left" or "right" of x. A joint is a thin
 * dash before it.
 * @param {Drawing} context
 * @param {Label} label
 * @param {number} x
 * @param {number} y
 * @param {"left" | "right"} align
 * @param {string} colour
 * @param {Theme} theme
 */
export function drawLabel(context, label, x, y, align, colour, theme, tall = Infinity) {
  const start = align === "right" ? x - label.width : x;
  let at = start;
  if (label.dash) {
    context.fillStyle = theme.faint;
    context.fillRect(at, y, 4, 1);
    at += DASH;
  }
  if (label.special) {
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.beginPath();
    const chip = Math.min(17, Math.max(12, Math.floor(tall) - 1));
    context.roundRect(start + 0.5, y - chip / 2, label.width - 1, chip, 4);
    context.stroke();
    at += 4;
  }
  context.fillStyle = colour;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(label.text, at, y + 0.5);
}

/**
 * Which of `count` labels are drawn, where each needs `room` pixels: every so many, and of those
 * of which there is nothing to tell only what the others leave room for.
 * @param {number} count
 * @param {number} cell
 * @param {number} room
 * @param {(at: number) => boolean} told
 */
export function legible(count, cell, room, told) {
  const all = Array.from({ length: count }, (_, at) => at);
  if (cell >= room) return new Set(all);
  if (all.every(told)) return new Set(all.filter((at) => at % stride(cell, LOOSE) === 0));
  /** @type {number[]} */
  const shown = [];
  const free = (/** @type {number} */ at) => shown.every((other) => Math.abs(other - at) * cell >= room);
  for (const at of [...all.filter(told), ...all.filter((other) => !told(other))]) if (free(at)) shown.push(at);
  return new Set(shown);
}

/** Every how many cells a label fits, when each needs `room` pixels. */
export const stride = (/** @type {number} */ cell, /** @type {number} */ room) => Math.max(1, Math.ceil(room / cell));
