// Canvas work that several views share: sharp canvases, matrices as bitmaps, token labels.
import { STEPS } from "./colour.js";
import { shorten, visible } from "../data/text.js";

const SLANT = (62 * Math.PI) / 180;
const LOOSE = 20; // once labels must be left out, those that stay get air
const contexts = new WeakMap(); // asking a canvas for its context again is not free

/** Sizes a canvas to its box at the screen's density; returns {context, width, height, ratio}. */
export function prepare(canvas, width, height) {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = contexts.get(canvas) ?? canvas.getContext("2d");
  contexts.set(canvas, context);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, ratio };
}

/** A cell size in whole device pixels where a cell has four of them or more. */
export function snap(size, ratio) {
  return size * ratio >= 4 ? Math.floor(size * ratio) / ratio : size;
}

/**
 * How many pixels a matrix of `cells` needs along an axis of `size` CSS pixels: one a cell,
 * or, where there are more cells than pixels, the pixels (each then shows its maximum).
 */
export const pixels = (cells, size, ratio) => Math.max(1, Math.min(cells, Math.floor(size * ratio)));

let scratch = null; // a picture's points before they are a canvas

/** Bitmap of values through a colour table; `low`..`high` spans it. */
export function bitmap(values, rows, columns, scale, low, high) {
  if (scratch?.width !== columns || scratch.height !== rows) scratch = new ImageData(columns, rows);
  const image = scratch;
  const target = new Uint32Array(image.data.buffer);
  const factor = (STEPS - 1) / (high - low || 1);
  for (let cell = 0; cell < target.length; cell += 1) {
    const index = ((values[cell] - low) * factor + 0.5) | 0; // Math.round takes five times as long
    target[cell] = scale[index < 0 ? 0 : index > STEPS - 1 ? STEPS - 1 : index];
  }
  const canvas = new OffscreenCanvas(columns, rows);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

/** Hatch over the cells where `mask` is 0, as a canvas of the drawn size; null where none is. */
export function hatched(mask, rows, columns, width, height, ratio, pattern) {
  if (!mask.includes(0)) return null;
  const stencil = new ImageData(columns, rows);
  const target = new Uint32Array(stencil.data.buffer);
  for (let cell = 0; cell < target.length; cell += 1) target[cell] = mask[cell] ? 0 : 0xff000000;
  const small = new OffscreenCanvas(columns, rows);
  small.getContext("2d").putImageData(stencil, 0, 0);
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = "source-in";
  context.fillStyle = pattern(context);
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

export function largest(values) {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) if (values[at] > most) most = values[at];
  return most || 1;
}

/** Largest distance from 0, 1 where all are 0. */
export function reach(values) {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, Math.abs(values[at]));
  return most || 1;
}

/** Remembers the last few results of costly drawing by key. */
export class Memo {
  constructor(limit = 8) {
    this.limit = limit;
    this.items = new Map();
  }

  get(key, make) {
    if (this.items.has(key)) return this.items.get(key);
    if (this.items.size >= this.limit) this.items.delete(this.items.keys().next().value);
    const value = make();
    this.items.set(key, value);
    return value;
  }
}

/** Labels of an axis: text, joint mark, special; measured once a font, none over `limit`. */
export function labelsOf(tokens, context, font, limit) {
  context.font = font;
  return tokens.map(({ text: whole, dash, special }) => {
    const shown = visible(whole);
    let letters = Math.min(Array.from(shown.slice(0, 80)).length, 40);
    let label = sized({ text: shorten(shown, letters), dash, special, width: 0 }, context);
    while (label.width > limit && letters > 2) {
      letters = Math.max(2, Math.min(letters - 1, Math.floor((letters * limit) / label.width)));
      label = sized({ ...label, text: shorten(shown, letters) }, context);
    }
    return label;
  });
}

/** A label with its width in the font that is set, which may be bolder than at first. */
export function sized(label, context) {
  const marks = (label.dash ? 7 : 0) + (label.special ? 8 : 0);
  return { ...label, width: context.measureText(label.text).width + marks };
}

/** A column's label above a cell whose middle is x: upright where it fits, else slanted. */
export function drawColumnLabel(context, label, x, y, cell, colour, theme) {
  if (label.width + 4 <= cell) {
    drawLabel(context, label, x - label.width / 2, y - 10, "left", colour, theme);
    return;
  }
  context.save();
  context.translate(x - 2, y - 6);
  context.rotate(-SLANT);
  drawLabel(context, label, 0, 0, "left", colour, theme);
  context.restore();
}

/** The row of a step: an outline, or two arrow heads where an outline would bury the row. */
export function markRow(context, left, top, width, tall, colour) {
  if (tall >= 6) {
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.strokeRect(left - 2, top - 1, width + 4, tall + 2);
    return;
  }
  const middle = top + tall / 2;
  context.fillStyle = colour;
  for (const [from, to] of [[left - 9, left - 1], [left + width + 9, left + width + 1]]) {
    context.beginPath();
    context.moveTo(from, middle - 5);
    context.lineTo(from, middle + 5);
    context.lineTo(to, middle);
    context.fill();
  }
}

/** Room [above, to the right] that slanted labels of this width take. */
export const slantRoom = (width) => [Math.sin(SLANT) * width, Math.cos(SLANT) * width];

/**
 * One label in the line y, `tall` pixels of it; `align` "left" or "right" of x. A joint is a thin
 * dash before it.
 */
export function drawLabel(context, label, x, y, align, colour, theme, tall = Infinity) {
  const start = align === "right" ? x - label.width : x;
  let at = start;
  if (label.dash) {
    context.fillStyle = theme.faint;
    context.fillRect(at, y, 4, 1);
    at += 7;
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
 */
export function legible(count, cell, room, told) {
  const all = Array.from({ length: count }, (_, at) => at);
  if (cell >= room) return new Set(all);
  if (all.every(told)) return new Set(all.filter((at) => at % stride(cell, LOOSE) === 0));
  const shown = [];
  const free = (at) => shown.every((other) => Math.abs(other - at) * cell >= room);
  for (const at of [...all.filter(told), ...all.filter((other) => !told(other))]) if (free(at)) shown.push(at);
  return new Set(shown);
}

/** Every how many cells a label fits, when each needs `room` pixels. */
export const stride = (cell, room) => Math.max(1, Math.ceil(room / cell));
