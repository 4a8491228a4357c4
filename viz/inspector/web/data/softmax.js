// @ts-check
// Softmax of one row by hand, so that each number can be worked out from the one before it.

/** @typedef {{ column: number, score: number, allowed: boolean, exp: number }} Step */

/**
 * `exp` is of a score less the largest that may be looked at; `sum` is of these.
 * @param {Float32Array} scores (query, key)
 * @param {Uint8Array} allowed (query, key)
 * @param {number} row
 * @param {number} columns
 */
export function softmaxRow(scores, allowed, row, columns) {
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
  return { largest, sum, of };
}
