// @ts-check
// Softmax of one row by hand, so that each number can be worked out from the one before it.

/** @typedef {{ column: number, score: number, allowed: boolean, exp: number }} Step */

/**
 * Whether weights were put in the place of what a softmax makes of a row.
 * @param {Pick<import("../types").Site, "forced">} site
 * @param {{ layer: number, head: number }} of
 * @param {number} row
 */
export const isForced = ({ forced }, { layer, head }, row) => forced?.[layer][head].includes(row) ?? false;

/**
 * What of a row goes to no key, where its head has a sink; 0 where it has none.
 * @param {boolean} has
 * @param {Float32Array} weights (query, key); of packed ones it is as near as they are
 * @param {number} row
 * @param {number} columns
 */
export function sinkOf(has, weights, row, columns) {
  if (!has) return 0;
  const own = weights.subarray(row * columns, (row + 1) * columns);
  return Math.max(0, 1 - own.reduce((sum, value) => sum + value, 0));
}

/**
 * `exp` is of a score less the largest that may be looked at; `sum` is of these, and of the sink's.
 * @param {Float32Array} scores (query, key)
 * @param {Uint8Array} allowed (query, key)
 * @param {number} row
 * @param {number} columns
 * @param {number} [sink] what of the row goes to no key, as its score would have it
 */
export function softmaxRow(scores, allowed, row, columns, sink = 0) {
  let largest = -Infinity;
  for (let c = 0; c < columns; c += 1) {
    if (allowed[row * columns + c]) largest = Math.max(largest, scores[row * columns + c]);
  }
  let sum = 0;
  const of = Array.from({ length: columns }, (_, column) => {
    const at = row * columns + column;
    const exp = allowed[at] ? Math.exp(scores[at] - largest) : 0;
    sum += exp;
    /** @type {Step} */
    const step = { column, score: scores[at], allowed: Boolean(allowed[at]), exp };
    return step;
  });
  return { largest, sum: sink < 1 ? sum / (1 - sink) : sum, of };
}
