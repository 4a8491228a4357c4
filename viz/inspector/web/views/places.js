// @ts-check
// Where the small pictures of the grid lie: a layer a row, or one after the other in an order.
/** @import { Layout, Site } from "../types" */
/** @typedef {Pick<Site, "layers" | "heads">} Stack */
/** @typedef {Pick<Site, "layers" | "heads" | "rows" | "columns">} Pictured */

const [RULER, GAP, LARGEST] = [22, 4, 116];
const LEAST = 24; // pixels: what a finger hits (WCAG 2.5.8)
const NAME = 17; // a name above a picture
/** Pixels that it takes across. */
const named = (/** @type {Stack} */ { layers, heads }) => (Math.max(layers, heads) > 9 ? 56 : 44);

/**
 * A picture's size, as wide as there is room and no higher than `most`.
 * @param {Pictured} site
 * @param {number} room
 * @param {number} most
 */
function cellOf(site, room, most) {
  const cellWidth = Math.min(LARGEST, Math.floor(room));
  const across = Math.min(1.3, Math.max(0.6, site.rows / Math.max(site.columns, 1)));
  return { cellWidth, cellHeight: Math.max(LEAST, Math.min(Math.round(cellWidth * across), Math.floor(most))) };
}

/**
 * Pixels a column of so many: where they do not fit, the edge cuts one through, and one sees that more follow.
 * @param {number} columns
 * @param {number} width
 */
function roomOf(columns, width) {
  const each = (width + GAP) / columns - GAP;
  if (each >= LEAST) return each;
  const whole = Math.max(1, Math.floor(width / (LEAST + GAP) - 0.5));
  return Math.max(LEAST, Math.round(width / (whole + 0.5)) - GAP); // rounded down, a row of them would add up
}

/**
 * All heads, a layer a row.
 * @param {Pictured} site
 * @param {number} width
 * @param {number} height
 */
export function byLayer(site, width, height) {
  const { layers, heads } = site;
  const size = cellOf(site, roomOf(heads, width - 2 - RULER), Math.floor((height - RULER) / layers) - GAP);
  const order = Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]);
  return laid(order, heads, size, false);
}

/**
 * The same for heads [layer, head] in reading order, each with its name above it.
 * @param {Pictured} site
 * @param {number} width
 * @param {number} height
 * @param {number[][]} order
 */
export function inOrder(site, width, height, order) {
  const columns = Math.max(
    1,
    Math.min(order.length, Math.max(site.heads, 4), Math.floor((width + GAP) / (named(site) + GAP))),
  );
  const rows = Math.ceil(order.length / columns);
  const size = cellOf(site, roomOf(columns, width - 2), height / rows - GAP - NAME);
  return laid(order, columns, size, true);
}

/**
 * @param {number[][]} order
 * @param {number} columns
 * @param {{ cellWidth: number, cellHeight: number }} size
 * @param {boolean} flows
 * @returns {Layout}
 */
function laid(order, columns, { cellWidth, cellHeight }, flows) {
  const [ruler, name] = flows ? [0, NAME] : [RULER, 0];
  const cells = order.map(([layer, head], at) => ({
    layer,
    head,
    x: ruler + 1 + (at % columns) * (cellWidth + GAP),
    y: ruler + name + 1 + Math.floor(at / columns) * (cellHeight + GAP + name),
  }));
  const below = cells.at(-1)?.y ?? 0;
  return {
    cells,
    columns,
    cellWidth,
    cellHeight,
    gap: GAP,
    ruler,
    flows,
    width: ruler + columns * (cellWidth + GAP) - GAP + 2,
    height: below + cellHeight + 1,
  };
}

/**
 * Where a key leads from the cell `at`, by what is seen; null where it means nothing here.
 * @param {string} key
 * @param {number} at
 * @param {Layout} layout
 */
export function neighbour(key, at, { cells: { length }, columns, flows }) {
  const column = at % columns;
  const [first, last] = [at - column, Math.min(at - column + columns, length) - 1];
  /** @type {Record<string, number>} */
  const places = {
    ArrowLeft: flows || at > first ? at - 1 : at,
    ArrowRight: flows || at < last ? at + 1 : at,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: first,
    End: last,
    PageUp: column,
    PageDown: column + columns * Math.floor((length - 1 - column) / columns),
  };
  const to = places[key];
  if (to === undefined) return null;
  return to >= 0 && to < length ? to : at;
}
