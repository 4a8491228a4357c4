// @ts-check
// Which weights of a head are lines: those over a threshold, of many tokens the largest, and how much they
// leave out.

/** @import { Part } from "../types" */
/** @typedef {ReturnType<typeof strongest>} Strongest */
/**
 * Cells over a threshold, as `over` finds them.
 * @typedef {{
 *   threshold: number, found: number[], ends: Int32Array, mass: Float64Array, under: Float64Array,
 * }} Over
 */

const MOST = 1200; // lines at once
const [ROWS, EACH] = [64, 16]; // rows that can have lines of their own, and how many such a row has
const ALL = { most: Infinity, stretch: 1, each: Infinity };

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
 * How many lines there is room for: `most` in all. Where rows share them, each `stretch` of so many rows has
 * its `each` largest first.
 * @typedef {{ most: number, stretch: number, each: number }} Budget
 */

/**
 * What there is room for between rows, of heads that share it. Every stretch of a long text has lines of its own,
 * so that one of steep rows leaves the others theirs. As viz/export/paper/strongest.py has it.
 * @param {number} rows in view
 * @param {number} heads
 * @returns {Budget}
 */
export function budget(rows, heads) {
  const stretch = Math.max(1, Math.ceil(rows / ROWS));
  const each = Math.max(1, Math.floor(EACH / stretch / heads));
  return { most: stretch === 1 ? Math.floor(MOST / heads) : Math.ceil(rows / stretch) * each, stretch, each };
}

/**
 * Of cells in reading order those that are the largest of their stretch, and the largest of the others while there
 * is room; of equal ones the first.
 * @param {number[]} cells
 * @param {Float32Array} weights
 * @param {number} columns
 * @param {Budget} budget
 */
function largestOfEach(cells, weights, columns, { most, stretch, each }) {
  /** @type {number[]} */
  const kept = [];
  let [first, beyond] = [0, 0]; // where the stretch begins in `kept`, and the cell where it ends
  for (const at of cells) {
    if (at >= beyond) {
      first = kept.length;
      beyond = (Math.floor(at / columns / stretch) + 1) * stretch * columns;
    }
    let place = kept.length;
    while (place > first && weights[kept[place - 1]] < weights[at]) place -= 1;
    if (place < first + each) kept.splice(place, 0, at);
    if (kept.length > first + each) kept.pop();
  }
  if (kept.length >= Math.min(most, cells.length)) return kept;
  const taken = new Set(kept);
  return [
    ...kept,
    ...largest(
      cells.filter((at) => !taken.has(at)),
      weights,
      most - kept.length,
    ),
  ];
}

/**
 * @param {number[]} cells in reading order
 * @param {Float32Array} weights
 * @param {number} columns
 * @param {Budget} room
 * @param {number} whole a row of which all are drawn, for which no other has to go
 */
function drawnOf(cells, weights, columns, room, whole) {
  if (room.stretch === 1) return largest(cells, weights, room.most);
  const spoken = (/** @type {number} */ at) => whole >= 0 && Math.floor(at / columns) === whole;
  const others = whole < 0 ? cells : cells.filter((at) => !spoken(at));
  return [...largestOfEach(others, weights, columns, room), ...(whole < 0 ? [] : cells.filter(spoken))];
}

/**
 * The `most` largest of cells in reading order, of equal ones the first.
 * @param {number[]} cells
 * @param {Float32Array} weights
 * @param {number} most
 */
function largest(cells, weights, most) {
  if (cells.length <= most) return cells;
  const ascending = Float32Array.from(cells, (at) => weights[at]).sort();
  const least = ascending[cells.length - most];
  let equal = most - (cells.length - upper(ascending, least));
  return cells.filter((at) => weights[at] > least || (weights[at] === least && equal-- > 0));
}

/**
 * How many of ascending numbers are no larger than one.
 * @param {Float32Array} ascending
 * @param {number} value
 */
function upper(ascending, value) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The weights over `threshold` in the rows up to `live`, as far as there is room for lines (`budget`), how many
 * they are in `all`, and the share of all the mass that is not drawn. `only` is a row [row, -1] or a column
 * [-1, column]: of that alone, as far as `most` allows. `whole` is a row of which all are drawn.
 * Of a part, its weights, and the share of the mass of its rows, which lies out of view as well.
 * @param {Float32Array} weights
 * @param {number} live
 * @param {number} columns
 * @param {number} threshold
 * @param {{ room?: Budget, only?: number[] | null, whole?: number, part?: Part }} [how]
 */
export function strongest(weights, live, columns, threshold, how = {}) {
  const { room = ALL, only = null, whole = -1, part = { top: 0, bottom: live, left: 0, right: columns } } = how;
  const { found: cells, ends, mass, under } = over(weights, columns, threshold);
  const [row, column] = only ?? [-1, -1];
  const beyond = Math.max(part.top, Math.min(part.bottom, live));
  const [from, to] = row < 0 ? [part.top, beyond] : [row, row >= part.top && row < beyond ? row + 1 : row];
  let found = cells.slice(ends[from], ends[to]);
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
  const all = found.length;
  if (all > room.most) {
    const drawn = drawnOf(found, weights, columns, room, whole);
    const shown = new Set(drawn);
    gone += found.reduce((sum, at) => (shown.has(at) ? sum : sum + weights[at]), 0);
    found = drawn;
  }
  return { found, all, total, hidden: total > 0 ? gone / total : 0 };
}

/**
 * Cells over `threshold` of a row [row, -1] or a column [-1, column] of a part, up to the row `live`.
 * @param {Float32Array} weights
 * @param {number} live
 * @param {number} columns
 * @param {number} threshold
 * @param {number[]} token
 * @param {Part} part
 */
export function linesOf(weights, live, columns, threshold, [row, column], { top, bottom, left, right }) {
  const beyond = Math.min(bottom, live);
  const along = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    at < 0 ? [from, to] : [Math.max(at, from), Math.min(at + 1, to)];
  const [[first, last], [start, end]] = [along(row, top, beyond), along(column, left, right)];
  /** @type {number[]} */
  const out = [];
  for (let r = first; r < last; r += 1)
    for (let at = r * columns + start; at < r * columns + end; at += 1) if (weights[at] > threshold) out.push(at);
  return out;
}
