// @ts-check
// Where the names and the cells of a matrix lie; those that stand beside each other share one
// size and one tilt of names, one top and one height of rows, so that a row is followed across.
import { sizeOf } from "../data/part.js";
import { flat as fits, labelsOf, pitchOf, slantRoom } from "./labels.js";
import { edges, filling } from "./paint.js";
import { Memo } from "../data/memo.js";

export const [WIDEST, TALLEST] = [64, 34]; // pixels of a cell

/** @import { App, Drawing, HeadState, Label } from "../types" */
/**
 * Names beside an axis, how wide the widest is, and how close slanted ones may stand.
 * @typedef {{ labels: Label[], widest: number, pitch: number }} Names
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
    this.corner = 0; // pixels above and before the cells that something else needs
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
      return {
        labels,
        widest: labels.reduce((wide, label) => Math.max(wide, label.width), 12),
        pitch: pitchOf(labels, size),
      };
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
    const [tall, wide] = sizeOf(this.app.part(state));
    const rows = this.names("queries", state, rowSize, Math.floor(width * 0.28), context);
    // The row of the step is bold.
    const left = Math.max(this.corner, Math.min(rows.widest * 1.1, width * 0.34) + 12);
    const free = (width - left - 2) / wide;
    const columns = (/** @type {number} */ size) =>
      this.names("keys", state, size, Math.min(104, Math.floor(height * 0.3)), context);
    return { tall, wide, width, height, rows, left, free, columns };
  }

  /**
   * One matrix, or the part of it in view, laid out beside those that stand with it.
   * @param {HeadState} state
   * @param {Drawing} context
   */
  of(state, context) {
    const abreast = this.app.abreast?.(this) ?? [this];
    const letters = (/** @type {Layout} */ layout) =>
      (layout.app.sizes.of(layout.surface)[1] - 60) / sizeOf(layout.app.part(state))[0] >= 17 ? 14 : 12;
    const rowSize = least(abreast, letters);
    const all = abreast.map((layout) => layout.wanted(state, rowSize, context));
    const columnSize = least(all, ({ free }) => free) >= 22 ? 14 : 12;
    /** @typedef {ReturnType<Layout["wanted"]>} Wish */
    const widest = (/** @type {Wish} */ one) => one.columns(columnSize).widest;
    const flat = all.every((one) => fits(widest(one), Math.min(one.free, WIDEST)));
    const top = Math.max(this.corner, flat ? 24 : slantRoom(most(all, widest))[0] + 14);
    const free = least(all, ({ height, tall }) => (height - top - 2) / tall);
    const tall = filling(
      Math.min(TALLEST, free),
      most(all, (one) => one.tall),
    );
    const cellOf = (/** @type {Wish} */ one) => {
      const slanted = flat ? 0 : Math.min(slantRoom(widest(one))[1], 60);
      return filling(Math.min(WIDEST, (one.width - one.left - slanted - 2) / one.wide), one.wide);
    };
    const own = all[abreast.indexOf(this)];
    const columns = own.columns(columnSize);
    const [{ left }, cell] = [own, cellOf(own)];
    const part = this.app.part(state);
    return {
      kind: state.kind,
      inWords: state.words,
      site: this.app.seen.site(state.kind),
      part,
      /** Where a column and a row begin. */
      x: edges(left, part.left, cell),
      y: edges(top, part.top, tall),
      rows: own.rows.labels,
      columns: columns.labels,
      left,
      top,
      flat,
      /** Pixels along the columns that a name needs. */
      pitch: flat ? 0 : columns.pitch,
      cell,
      tall,
      rowSize,
      columnSize,
      upright: least(all, cellOf),
      width: cell * own.wide,
      height: tall * own.tall,
      /** Pixels [down, across] that cells may take. */
      room: [own.height - top - 2, own.width - left - 2],
    };
  }
}
