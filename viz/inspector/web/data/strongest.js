// @ts-check
// Which weights of a head are lines: those over a threshold, and how much they leave out.

/** @import { Part } from "../types" */
/** @typedef {ReturnType<typeof strongest>} Strongest */
/**
 * Cells over a threshold, as `over` finds them.
 * @typedef {{
 *   threshold: number, found: number[], ends: Int32Array, mass: Float64Array, under: Float64Array,
 * }} Over
 */

/** @type {WeakMap<Float32Array, Over>} */
const known = new WeakMap();

/**
 * The cells over `threshold` in reading order, and for each row how many of them stand before it
 * (`ends`) and what all weights before it sum to (`mass`), and those that are no lines (`under`):
 * a step is a slice.
 * @param {Float32Array} weights
 * @param {number} columns
 * @param {number} threshold
 * @returns {Over}
 */
function over(weights, columns, threshold) {
  const last = known.get(weights);
  if (last?.threshold === threshold) return last;
  const rows = weights.length / columns;
  /** @type {number[]} */
  const found = [];
  const [ends, mass, under] = [new Int32Array(rows + 1), new Float64Array(rows + 1), new Float64Array(rows + 1)];
  for (let row = 0, at = 0, total = 0, rest = 0; row < rows; row += 1) {
    for (const end = at + columns; at < end; at += 1) {
      total += weights[at];
      if (weights[at] > threshold) found.push(at);
      else rest += weights[at];
    }
    [ends[row + 1], mass[row + 1], under[row + 1]] = [found.length, total, rest];
  }
  const made = { threshold, found, ends, mass, under };
  known.set(weights, made);
  return made;
}

/**
 * The weights over `threshold` in the rows up to `live`, largest first where they are more than
 * `most`, which is how many there are at most, and the share of all the mass that they leave out.
 * `only` is a row [row, -1] or a column [-1, column]: of that alone. Of a part, its weights, and the
 * share of the mass of its rows, which lies out of view as well.
 * @param {Float32Array} weights
 * @param {number} live
 * @param {number} columns
 * @param {number} threshold
 * @param {number} most
 * @param {number[] | null} only
 * @param {Part} part
 */
export function strongest(
  weights,
  live,
  columns,
  threshold,
  most = Infinity,
  only = null,
  part = { top: 0, bottom: live, left: 0, right: columns },
) {
  const { found: all, ends, mass, under } = over(weights, columns, threshold);
  const [row, column] = only ?? [-1, -1];
  const beyond = Math.max(part.top, Math.min(part.bottom, live));
  const [from, to] = row < 0 ? [part.top, beyond] : [row, row >= part.top && row < beyond ? row + 1 : row];
  let found = all.slice(ends[from], ends[to]);
  let total = mass[to] - mass[from];
  let gone = under[to] - under[from]; // added up, not what the lines leave of the total: nothing is exactly 0
  if (column >= 0) {
    found = found.filter((at) => at % columns === column);
    total = gone = 0;
    for (let at = from * columns + column; at < to * columns; at += columns) {
      total += weights[at];
      if (!(weights[at] > threshold)) gone += weights[at];
    }
  }
  if (part.right - part.left < columns) {
    const inside = (/** @type {number} */ at) => at % columns >= part.left && at % columns < part.right;
    gone += found.reduce((sum, at) => (inside(at) ? sum : sum + weights[at]), 0);
    found = found.filter(inside);
  }
  const capped = found.length > most;
  if (capped) {
    found.sort((a, b) => weights[b] - weights[a]);
    gone += found.slice(most).reduce((sum, at) => sum + weights[at], 0);
    found.length = most;
  }
  return { found, capped, total, hidden: total > 0 ? gone / total : 0 };
}
