// @ts-check
// A part of a matrix: the rows and columns in view, and how it is made smaller, larger and moved.
// What is wished for may begin within a cell and beyond the matrix; `fitted` makes it whole cells of it.

/** @import { Kind, Part } from "../types" */
/** @import { Seen } from "./seen.js" */
/** @typedef {{ rows: number, columns: number }} Size */

/**
 * @param {Size} size
 * @returns {Part}
 */
export const whole = ({ rows, columns }) => ({ top: 0, bottom: rows, left: 0, right: columns });

/** @param {Part} part */
export const sizeOf = ({ top, bottom, left, right }) => [bottom - top, right - left];

/**
 * @param {Part} part
 * @param {Size} size
 */
export const isWhole = (part, { rows, columns }) =>
  part.bottom - part.top === rows && part.right - part.left === columns;

/**
 * Does a cell [row, column] lie within? An axis that it does not name, -1, is not asked about.
 * @param {Part} part
 * @param {number[]} cell
 */
export const holds = ({ top, bottom, left, right }, [row, column]) =>
  (row < 0 || (row >= top && row < bottom)) && (column < 0 || (column >= left && column < right));

/**
 * A stretch that an axis has, nearest to a wished one: at least `least` of all.
 * @param {number} from
 * @param {number} to
 * @param {number} least
 * @param {number} all
 */
function stretch(from, to, least, all) {
  const count = Math.min(all, Math.max(1, least, to - from));
  const first = Math.min(Math.max(0, (from + to - count) / 2), all - count);
  return [first, first + count];
}

/**
 * The part of a matrix nearest to a wished one, which may still begin and end within cells.
 * @param {Part} wished
 * @param {Size} size
 * @param {number[]} least rows and columns
 * @returns {Part}
 */
export function bounded(wished, { rows, columns }, [tall, wide] = [1, 1]) {
  const [top, bottom] = stretch(wished.top, wished.bottom, tall, rows);
  const [left, right] = stretch(wished.left, wished.right, wide, columns);
  return { top, bottom, left, right };
}

/**
 * The same in whole cells.
 * @param {Part} wished
 * @param {Size} size
 * @param {number[]} [least]
 * @returns {Part}
 */
export function fitted(wished, size, least) {
  const { top, bottom, left, right } = bounded(wished, size, least);
  const [tall, wide] = [Math.round(bottom - top), Math.round(right - left)];
  const [row, column] = [
    Math.min(Math.round((top + bottom - tall) / 2), size.rows - tall),
    Math.min(Math.round((left + right - wide) / 2), size.columns - wide),
  ];
  return { top: row, bottom: row + tall, left: column, right: column + wide };
}

/**
 * The place between cells at shares of the height and the width of a part.
 * @param {Part} part
 * @param {number[]} shares
 */
export function placeAt(part, [down, across]) {
  const [tall, wide] = sizeOf(part);
  return [part.top + down * tall, part.left + across * wide];
}

/**
 * So many rows and columns, with a place between cells at `shares` of the height and the width.
 * @param {number[]} place
 * @param {number[]} size
 * @param {number[]} shares
 * @returns {Part}
 */
export function anchored([row, column], [tall, wide], [down, across]) {
  const [top, left] = [row - down * tall, column - across * wide];
  return { top, bottom: top + tall, left, right: left + wide };
}

/**
 * @param {Part} part
 * @param {number} rows
 * @param {number} columns
 * @returns {Part}
 */
export const moved = ({ top, bottom, left, right }, rows, columns) => ({
  top: top + rows,
  bottom: bottom + rows,
  left: left + columns,
  right: right + columns,
});

/**
 * Moved as little as it takes for a cell to lie within, an axis that it does not name, -1, not at all.
 * @param {Part} part
 * @param {number[]} cell
 * @returns {Part}
 */
export function reaching(part, [row, column]) {
  const by = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    at < 0 ? 0 : Math.min(0, at - from) + Math.max(0, at + 1 - to);
  return moved(part, by(row, part.top, part.bottom), by(column, part.left, part.right));
}

/**
 * Values (row, column) of a part alone.
 * @template {Float32Array | Uint8Array} Values
 * @param {Values} values
 * @param {number} columns of all
 * @param {Part} part
 * @returns {Values}
 */
export function cut(values, columns, { top, bottom, left, right }) {
  if (right - left === columns) return /** @type {Values} */ (values.subarray(top * columns, bottom * columns));
  const [tall, wide] = [bottom - top, right - left];
  const out = values instanceof Float32Array ? new Float32Array(tall * wide) : new Uint8Array(tall * wide);
  for (let row = 0; row < tall; row += 1) {
    const from = (top + row) * columns;
    out.set(values.subarray(from + left, from + right), row * wide);
  }
  return /** @type {Values} */ (out);
}

/**
 * A part of pieces as the part of what is shown, pieces or words, that it lies in.
 * @param {Seen} seen
 * @param {Kind} kind
 * @param {Part} pieces
 * @returns {Part}
 */
export function shownPart(seen, kind, { top, bottom, left, right }) {
  const first = seen.shownAt(kind, [top, left]);
  const last = seen.shownAt(kind, [bottom - 1, right - 1]);
  return { top: first[0], bottom: last[0] + 1, left: first[1], right: last[1] + 1 };
}

/**
 * The other way: all pieces of what is shown there.
 * @param {Seen} seen
 * @param {Kind} kind
 * @param {Part} shown
 * @returns {Part}
 */
export function piecesPart(seen, kind, { top, bottom, left, right }) {
  const first = seen.pieceAt(kind, [top, left]);
  const beyond = seen.pieceAt(kind, [bottom, right]);
  return { top: first[0], bottom: beyond[0], left: first[1], right: beyond[1] };
}
