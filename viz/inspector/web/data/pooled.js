// @ts-check
// A matrix made smaller: each of its points is the largest value beneath it.

/**
 * Largest value beneath each of `outRows` x `outColumns` points; `signed`: the farthest from 0.
 * @template {Float32Array | Uint8Array} Values
 * @param {Values} values
 * @param {number} rows
 * @param {number} columns
 * @param {number} outRows
 * @param {number} outColumns
 * @returns {Values}
 */
export function pooled(values, rows, columns, outRows, outColumns, signed = false) {
  if (outRows === rows && outColumns === columns) return values;
  const empty = values instanceof Float32Array && !signed ? -Infinity : 0;
  const size = outRows * outColumns;
  const made = values instanceof Float32Array ? new Float32Array(size) : new Uint8Array(size);
  const out = /** @type {Values} */ (made.fill(empty));
  const to = Int32Array.from({ length: columns }, (_, c) => Math.floor((c * outColumns) / columns));
  for (let row = 0; row < rows; row += 1) {
    const base = Math.floor((row * outRows) / rows) * outColumns;
    const start = row * columns;
    for (let column = 0; column < columns; column += 1) {
      const at = base + to[column];
      const value = values[start + column];
      if (signed ? Math.abs(value) > Math.abs(out[at]) : value > out[at]) out[at] = value;
    }
  }
  return out;
}
