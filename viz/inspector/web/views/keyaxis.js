// @ts-check
// Keys along one axis of a row that is drawn large: where each lies, and what stands beside it.
import { drawColumnLabel, drawLabel, flat, labelsOf, legible, pitchOf, sized, slantRoom } from "./labels.js";
import { pixels, snap } from "./paint.js";
import { Memo } from "../data/memo.js";

/** @import { Drawing, Label, Theme, Token } from "../types" */
/**
 * Whose keys they are, by kind of attention or stack of layers.
 * @typedef {{ theme: Theme, model: { keys(kind: string): Token[] } }} Keyed
 */

const [WIDEST, TALLEST, LETTERS, LONGEST] = [64, 24, 13, 92];
const LINE = 15; // pixels that a name needs down the axis
const BOLD = 1.1; // a bold name is that much wider

/** Across the page, or down where that is narrow. */
export class KeyAxis {
  /** @param {Keyed} app */
  constructor(app) {
    this.app = app;
    this.kept = new Memo(6);
    /** @type {Label[]} */
    this.labels = [];
    this.font = "";
    this.down = false;
    this.flat = false; // names stand upright
    this.pitch = 0; // pixels that a name needs along the axis
    this.length = 0; // keys
    this.start = 0; // pixels along the axis before the first key
    this.cell = 0; // pixels of a key
    this.beside = 0; // pixels across the axis that the names take
  }

  /**
   * Lays out the keys of a kind.
   * @param {string} kind
   * @param {Drawing} context
   * @param {{ from: number, room: number, down: boolean, most?: number }} place where the axis may
   *   begin, and how long it may be; across, names stand above it, down, before it, where they take
   *   so many pixels at most
   */
  lay(kind, context, { from, room, down, most = Infinity }) {
    const { model, theme } = this.app;
    const font = `${LETTERS}px ${theme.font}`;
    const limit = down ? Math.floor(Math.min(room * 0.28, (most - 10) / BOLD)) : LONGEST;
    const [labels, widest, pitch] = this.kept.get(`${kind}|${font}|${limit}`, () => {
      const found = labelsOf(model.keys(kind), context, font, limit);
      return [found, found.reduce((wide, { width }) => Math.max(wide, width), 12), pitchOf(found, LETTERS)];
    });
    this.down = down;
    this.labels = labels;
    this.font = font;
    this.start = from;
    this.length = labels.length;
    this.cell = snap(Math.min(down ? TALLEST : WIDEST, room / this.length));
    this.flat = flat(widest, this.cell);
    this.pitch = down ? LINE : this.flat ? 0 : pitch;
    this.beside = down ? Math.ceil(widest * BOLD) + 10 : this.flat ? 24 : Math.ceil(slantRoom(widest)[0]) + 14;
  }

  /** Pixels that all keys take. */
  get size() {
    return this.cell * this.length;
  }

  /** How many points they are drawn with, each the largest beneath it. */
  get points() {
    return pixels(this.length, this.size);
  }

  /**
   * The box of a key in a band that lies `at` across the axis and is `size` thick.
   * @param {number} column
   * @param {number} at
   * @param {number} size
   * @returns {[number, number, number, number]} x, y, width, height
   */
  box(column, at, size, count = 1) {
    const along = this.start + column * this.cell;
    return this.down ? [at, along, size, count * this.cell] : [along, at, count * this.cell, size];
  }

  /**
   * The key at a place along the axis, or null.
   * @param {number} along
   */
  at(along) {
    const column = Math.floor((along - this.start) / this.cell);
    return column >= 0 && column < this.length ? column : null;
  }

  /**
   * @param {Drawing} context
   * @param {number} edge where the first band begins
   * @param {(column: number) => boolean} open may it be looked at?
   * @param {number} chosen the key that is pointed at, or -1
   */
  names(context, edge, open, chosen) {
    const { theme } = this.app;
    const shown = legible(this.length, this.cell, this.pitch, open);
    context.font = this.font;
    this.labels.forEach((label, column) => {
      const near = chosen >= 0 && Math.abs(chosen - column) * this.cell < this.pitch;
      if (column !== chosen && (near || !shown.has(column))) return;
      const bold = column === chosen;
      if (bold) context.font = `600 ${this.font}`;
      const named = bold ? sized(label, context) : label;
      const colour = bold ? theme.text : open(column) ? theme.muted : theme.quiet;
      const middle = this.start + (column + 0.5) * this.cell;
      if (this.down) drawLabel(context, named, edge - 8, middle, "right", colour, theme, this.cell);
      else drawColumnLabel(context, named, middle, edge - 1, this.cell, this.flat, colour, theme);
      if (bold) context.font = this.font;
    });
  }
}
