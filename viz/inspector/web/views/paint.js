// @ts-check
// Canvas work that several views share: sharp canvases, and matrices as bitmaps.
import { hatch, STEPS } from "./colour.js";
import { pooled } from "../data/pooled.js";

/** @import { Drawing, Shade, Theme } from "../types" */

const ROUNDING = 1e-5;

/** @type {WeakMap<HTMLCanvasElement, CanvasRenderingContext2D>} */
const contexts = new WeakMap(); // asking a canvas for its context again is not free

/**
 * A context that there is: browsers refuse one where memory ends.
 * @template Context
 * @param {Context | null} context
 */
export function drawing(context) {
  if (!context) throw new Error("no canvas");
  return context;
}

/** Points of the screen a pixel. */
export const density = () => Math.max(1, window.devicePixelRatio || 1);

/**
 * Sizes a canvas to its box at the screen's density, and empties it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function prepare(canvas, width, height) {
  const ratio = density();
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = contexts.get(canvas) ?? drawing(canvas.getContext("2d"));
  contexts.set(canvas, context);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/**
 * A cell size in whole device pixels where a cell has four of them or more.
 * @param {number} size
 */
export function snap(size) {
  const ratio = density();
  return size * ratio >= 4 ? Math.floor(size * ratio) / ratio : size;
}

/**
 * The same of `count` cells, unless that would leave room empty where another one fits: then they take it all, and
 * are not of one size.
 * @param {number} size
 * @param {number} count
 */
export function filling(size, count) {
  const even = snap(size);
  return (size - even) * count < even ? even : size;
}

/**
 * Where cells begin; those that are not of one size begin at whole device pixels.
 * @param {number} start
 * @param {number} first the cell that begins there
 * @param {number} size
 * @returns {(at: number) => number}
 */
export function edges(start, first, size) {
  const plain = (/** @type {number} */ at) => start + (at - first) * size;
  if (snap(size) === size) return plain;
  const ratio = density();
  return (at) => {
    const [from, to] = [Math.floor(at), Math.floor(at) + 1].map((edge) => Math.round(plain(edge) * ratio) / ratio);
    return from + (at - Math.floor(at)) * (to - from);
  };
}

/**
 * How many pixels a matrix of `cells` needs along an axis of `size` CSS pixels: one a cell,
 * or, where there are more cells than pixels, the pixels (each then shows its maximum).
 */
export const pixels = (/** @type {number} */ cells, /** @type {number} */ size) =>
  Math.max(1, Math.min(cells, Math.floor(size * density())));

/** @type {ImageData | null} */
let scratch = null; // a picture's points before they are a canvas

/**
 * A matrix as a bitmap of `tall` x `wide` points, each the largest value beneath it, or the farthest from 0
 * where there are values below; `low`..`high` spans the colour table.
 * @param {Float32Array} values
 * @param {number} rows
 * @param {number} columns
 * @param {number} tall
 * @param {number} wide
 * @param {Shade} shade
 */
export function bitmap(values, rows, columns, tall, wide, { table, low, high }) {
  const shown = pooled(values, rows, columns, tall, wide, low < 0);
  if (scratch?.width !== wide || scratch.height !== tall) scratch = new ImageData(wide, tall);
  const image = scratch;
  const target = new Uint32Array(image.data.buffer);
  const factor = (STEPS - 1) / (high - low || 1);
  for (let cell = 0; cell < target.length; cell += 1) {
    const index = ((shown[cell] - low) * factor + 0.5) | 0; // Math.round takes five times as long
    target[cell] = table[index < 0 ? 0 : index > STEPS - 1 ? STEPS - 1 : index];
  }
  const canvas = new OffscreenCanvas(wide, tall);
  drawing(canvas.getContext("2d")).putImageData(image, 0, 0);
  return canvas;
}

/**
 * Hatch over the cells where `mask` is 0, as a canvas of the drawn size; null where none is.
 * @param {Uint8Array} mask
 * @param {number} rows
 * @param {number} columns
 * @param {number} width
 * @param {number} height
 * @param {Theme} theme
 * @param {Parameters<typeof hatch>[2]} name of the hatch
 */
export function hatched(mask, rows, columns, width, height, theme, name) {
  const ratio = density();
  const [tall, wide] = [pixels(rows, height), pixels(columns, width)];
  const open = pooled(mask, rows, columns, tall, wide);
  if (!open.includes(0)) return null;
  const stencil = new ImageData(wide, tall);
  const target = new Uint32Array(stencil.data.buffer);
  for (let cell = 0; cell < target.length; cell += 1) target[cell] = open[cell] ? 0 : 0xff000000;
  const small = new OffscreenCanvas(wide, tall);
  drawing(small.getContext("2d")).putImageData(stencil, 0, 0);
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
  const context = drawing(canvas.getContext("2d"));
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  context.globalCompositeOperation = "source-in";
  context.fillStyle = hatch(context, theme, name, ratio);
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * Rows that are not written yet, hatched.
 * @param {Drawing} context
 * @param {Theme} theme
 * @param {number[]} box left, top, width and height
 */
export function hatchRows(context, theme, box) {
  const ratio = density();
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0); // the tile is in device pixels
  context.fillStyle = hatch(context, theme, "unwritten", ratio);
  const [x, y, width, height] = box.map((size) => size * ratio);
  context.fillRect(x, y, width, height);
  context.restore();
}

/** @param {ArrayLike<number>} values */
export function largest(values) {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) if (values[at] > most) most = values[at];
  return most || 1;
}

/**
 * What stands at the end of a scale from 0 to 1, or of one that weights go beyond: an edit may have made them larger.
 * @param {ArrayLike<number>} weights
 */
export const endOfScale = (weights) => (largest(weights) > 1 + ROUNDING ? "≥ 1" : "1");

/**
 * Largest distance from 0, 1 where all are 0.
 * @param {ArrayLike<number>} values
 */
export function reach(values) {
  let most = 0;
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, Math.abs(values[at]));
  return most || 1;
}

const THIN = 6; // pixels of a row that an outline would bury

/** Pixels between the name of a row and its cells: an arrow head is longer than an outline is thick. */
export const besideRow = (/** @type {number} */ tall) => (tall < THIN ? 12 : 7);

/**
 * The row of a step: an outline, or two arrow heads where an outline would bury the row.
 * @param {Drawing} context
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} tall
 * @param {string} colour
 */
export function markRow(context, left, top, width, tall, colour) {
  if (tall >= THIN) {
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.strokeRect(left - 2, top - 1, width + 4, tall + 2);
    return;
  }
  const middle = top + tall / 2;
  context.fillStyle = colour;
  for (const [from, to] of [
    [left - 9, left - 1],
    [left + width + 9, left + width + 1],
  ]) {
    context.beginPath();
    context.moveTo(from, middle - 5);
    context.lineTo(from, middle + 5);
    context.lineTo(to, middle);
    context.fill();
  }
}
