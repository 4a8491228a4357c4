// @ts-check
// One row of numbers as a band along the keys: as cells, as bars, hatched where it may not look.
import { bitmap, hatched } from "./paint.js";
import { pooled } from "../data/pooled.js";

/** @import { Drawing, Shade } from "../types" */
/** @import { KeyAxis } from "./keyaxis.js" */
/**
 * Where a band lies across the keys, in pixels.
 * @typedef {{ at: number, size: number }} Band
 */

/** Points of a band as a matrix of one row, or of one column where keys go down. */
const shaped = (/** @type {KeyAxis} */ axis, /** @type {number} */ points) => (axis.down ? [points, 1] : [1, points]);

/**
 * Values in the colours of a scale that goes from `low` to 1, or as far to either side of 0.
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Band} band
 * @param {Float32Array} values
 * @param {Shade} shade
 */
export function cells(context, axis, { at, size }, values, shade) {
  const [rows, columns] = shaped(axis, axis.length);
  const [tall, wide] = shaped(axis, axis.points);
  context.imageSmoothingEnabled = false;
  context.drawImage(bitmap(values, rows, columns, tall, wide, shade), ...axis.box(0, at, size, axis.length));
}

/**
 * Hatch where the head may not look; nothing is left beneath it.
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Band} band
 * @param {Uint8Array} allowed
 */
export function forbid(context, axis, { at, size }, allowed) {
  const { points } = axis;
  const { theme } = axis.app;
  const [rows, columns] = shaped(axis, points);
  const open = pooled(allowed, 1, axis.length, 1, points);
  const [x, y, width, height] = axis.box(0, at, size, axis.length);
  const mask = hatched(open, rows, columns, width, height, theme, "forbidden");
  if (!mask) return;
  context.fillStyle = theme.background;
  const keys = axis.length / points; // beneath a point
  open.forEach((may, point) => {
    if (!may) context.fillRect(...axis.box(point * keys, at, size, keys));
  });
  context.drawImage(mask, x, y, width, height);
}

/**
 * Weights as bars from 0 to `most`.
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Band} band
 * @param {Float32Array} values
 * @param {number} most
 * @param {string} colour
 * @param {number} grown from 0 to 1: how much of its length each bar has
 */
export function bars(context, axis, { at, size }, values, most, colour, grown) {
  const { points } = axis;
  const step = axis.size / points;
  const gap = step >= 9 ? 1.5 : 0;
  context.fillStyle = colour;
  pooled(values, 1, axis.length, 1, points).forEach((value, point) => {
    const long = Math.max(value > 0 ? 1 : 0, (value / most) * size * grown);
    const along = axis.start + point * step + gap;
    if (axis.down) context.fillRect(at, along, long, step - 2 * gap);
    else context.fillRect(along, at + size - long, step - 2 * gap, long);
  });
}

/**
 * A frame, and lines between keys where there is room.
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Band} band
 */
export function rules(context, axis, { at, size }) {
  const [x, y, width, height] = axis.box(0, at, size, axis.length);
  context.strokeStyle = axis.app.theme.line;
  context.lineWidth = 1;
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
  if (axis.cell < 9) return;
  context.beginPath();
  for (let column = 1; column < axis.length; column += 1) {
    const [left, top] = axis.box(column, at, size);
    context.moveTo(left, top);
    context.lineTo(axis.down ? left + size : left, axis.down ? top : top + size);
  }
  context.stroke();
}
