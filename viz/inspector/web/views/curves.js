// @ts-check
// Lines of one head: wide and full by their weights, those of the tokens that are spoken of over the others.

/** @import { Drawing } from "../types" */

const BANDS = 6; // of lines that are drawn at once, of about one width
const FULL = 12; // pixels between what has lines of its own, so that they are as wide as can be

/**
 * @param {Drawing} context
 * @param {Float32Array} weights
 * @param {number} columns of all
 * @param {{ quiet: number[], strong: number[] | null }} cells whose lines lie below, and over them; null where
 *   nothing is spoken of
 * @param {{
 *   left: number, right: number, keyY: (column: number) => number, queryY: (row: number) => number,
 *   pitch: number, aside: number, colour: string,
 * }} form where lines begin and end, pixels between what has lines of its own, and how far aside they lie
 */
export function drawCurves(context, weights, columns, { quiet: below, strong }, form) {
  const { left, right, aside, colour } = form;
  const bend = (right - left) / 2;
  const thin = Math.min(1, form.pitch / FULL);
  const curve = (/** @type {Path2D | Drawing} */ path, /** @type {number} */ at) => {
    const [keyY, queryY] = [form.keyY(at % columns) + aside, form.queryY(Math.floor(at / columns)) + aside];
    path.moveTo(left, keyY);
    path.bezierCurveTo(left + bend, keyY, right - bend, queryY, right, queryY);
  };
  // In bands of equal width, so that each band is one path.
  const bands = Array.from({ length: BANDS }, () => new Path2D());
  for (const at of below) curve(bands[Math.min(BANDS - 1, Math.floor(weights[at] * BANDS))], at);
  const quiet = strong === null ? 0.75 : 0.26 * thin;
  context.strokeStyle = colour;
  context.lineCap = "round";
  bands.forEach((path, band) => {
    context.globalAlpha = quiet * (0.25 + (0.75 * (band + 1)) / BANDS);
    context.lineWidth = 0.6 + (4.4 * (band + 0.5) * thin) / BANDS;
    context.stroke(path);
  });
  for (const at of strong ?? []) {
    context.globalAlpha = 0.35 + 0.65 * Math.min(1, weights[at]); // a canvas refuses more than 1
    context.lineWidth = 1 + 5 * weights[at] * thin;
    context.beginPath();
    curve(context, at);
    context.stroke();
  }
  context.globalAlpha = 1;
}
