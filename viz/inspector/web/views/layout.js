// @ts-check
// Where the names and the cells of a matrix lie; those that stand beside each other share one
// size and one tilt of names, one top and one height of rows, so that a row is followed across.
import { labelsOf, Memo, slantRoom, snap } from "./paint.js";

const [WIDEST, TALLEST] = [64, 34];

/** @import { App, Drawing, HeadState, Kind, Label } from "../types" */
/**
 * Names beside an axis, and how wide the widest is.
 * @typedef {{ labels: Label[], widest: number }} Names
 */

/** @type {<Item>(all: Item[], of: (item: Item) => number) => number} */
const least = (all, of) => Math.min(...all.map(of));
/** @type {<Item>(all: Item[], of: (item: Item) => number) => number} */
const most = (all, of) => Math.max(...all.map(of));

export class Layout {
  /**
   * @param {App} app
   * @param {HTMLElement} surface the element that names and cells are drawn in
   */
  constructor(app, surface) {
    this.app = app;
    this.surface = surface;
    this.axes = new Memo(8);
  }

  /** @param {Kind} kind */
  site(kind) {
    return this.app.seen.site(kind);
  }

  /**
   * Names of an axis, measured once.
   * @param {"queries" | "keys"} axis
   * @param {HeadState} state
   * @param {number} size of letters, in pixels
   * @param {number} limit of a name
   * @param {Drawing} context
   * @returns {Names}
   */
  names(axis, { kind, words }, size, limit, context) {
    const { seen, theme } = this.app;
    return this.axes.get(`${axis}|${kind}|${words}|${size}|${limit}|${theme.font}`, () => {
      const labels = labelsOf(seen[axis](kind), context, `${size}px ${theme.font}`, limit);
      return { labels, widest: labels.reduce((wide, label) => Math.max(wide, label.width), 12) };
    });
  }

  /**
   * What it wants by itself, its rows named in letters of `rowSize` pixels.
   * @param {HeadState} state
   * @param {number} rowSize
   * @param {Drawing} context
   */
  wanted(state, rowSize, context) {
    const [width, height] = this.app.sizes.of(this.surface);
    const site = this.site(state.kind);
    const rows = this.names("queries", state, rowSize, Math.floor(width * 0.28), context);
    const left = Math.min(rows.widest * 1.1, width * 0.34) + 12; // the row of the step is bold
    const free = (width - left - 2) / site.columns;
    const columns = (/** @type {number} */ size) =>
      this.names("keys", state, size, Math.min(104, Math.floor(height * 0.3)), context);
    return { site, width, height, rows, left, free, columns };
  }

  /**
   * All of one matrix, laid out beside those that stand with it.
   * @param {HeadState} state
   * @param {Drawing} context
   * @param {number} ratio
   */
  of(state, context, ratio) {
    const abreast = this.app.abreast(this);
    const letters = (/** @type {Layout} */ layout) =>
      (layout.app.sizes.of(layout.surface)[1] - 60) / layout.site(state.kind).rows >= 17 ? 14 : 12;
    const rowSize = least(abreast, letters);
    const all = abreast.map((layout) => layout.wanted(state, rowSize, context));
    const columnSize = least(all, ({ free }) => free) >= 22 ? 14 : 12;
    /** @typedef {ReturnType<Layout["wanted"]>} Wish */
    const widest = (/** @type {Wish} */ one) => one.columns(columnSize).widest;
    const flat = all.every((one) => widest(one) + 6 <= Math.min(one.free, WIDEST));
    const top = flat ? 24 : slantRoom(most(all, widest))[0] + 14;
    const tall = snap(
      Math.min(
        TALLEST,
        least(all, ({ height, site }) => (height - top - 2) / site.rows),
      ),
      ratio,
    );
    const cellOf = (/** @type {Wish} */ one) => {
      const slanted = flat ? 0 : Math.min(slantRoom(widest(one))[1], 60);
      return snap(Math.min(WIDEST, (one.width - one.left - slanted - 2) / one.site.columns), ratio);
    };
    const own = all[abreast.indexOf(this)];
    const [{ site, left }, cell] = [own, cellOf(own)];
    return {
      kind: state.kind,
      inWords: state.words,
      site,
      rows: own.rows.labels,
      columns: own.columns(columnSize).labels,
      left,
      top,
      flat,
      cell,
      tall,
      rowSize,
      columnSize,
      upright: least(all, cellOf),
      width: cell * site.columns,
      height: tall * site.rows,
    };
  }
}
