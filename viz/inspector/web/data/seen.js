// @ts-check
// What views draw: heads of weights between the tokens of two axes. A trace is that (model.js), the
// same in words (views/units.js), and two traces laid over each other (compare/both.js).

import { Memo } from "./memo.js";

/** @import { Head, Kind, Site, Small, Token } from "../types" */

export const KEPT = 16; // decoded heads; 512 x 512 floats are 1 MB each

export const isDecoder = (/** @type {Kind} */ kind) => kind !== "encoder_self";

/**
 * The head of a state, and the one of a second trace, null where it is the same.
 * @template T
 * @param {{ layer: number, head: number, other?: T | null }} state
 * @returns {[number, number, T | null]}
 */
export const headOf = ({ layer, head, other = null }) => [layer, head, other];

/**
 * Tokens and sizes, and what follows from them alike for all. A subclass tells the mask and the weights
 * of a head.
 */
export class Seen {
  /**
   * @param {{ source: Token[], read: Token[], written: Token[], keysRead?: Token[] }} tokens
   *   `keysRead` are those that keys are of, where the rows read others
   * @param {Map<Kind, Site>} sites
   */
  constructor({ source, read, written, keysRead = read }, sites) {
    this.source = source;
    this.read = read;
    this.written = written;
    this.keysRead = keysRead;
    this.sites = sites;
    this.kinds = [...sites.keys()];
    this.steps = written.length;
    this.masks = new Memo(KEPT);
    this.opened = new Memo(KEPT);
    /** @type {WeakMap<Float32Array, Uint8Array>} */
    this.put = new WeakMap();
  }

  /**
   * Are the packed weights of this kind here?
   * @param {Kind} kind
   * @returns {boolean}
   */
  has(kind) {
    throw new Error(`no ${kind}`);
  }

  /**
   * Fetches the packed weights of a kind, unless they are here.
   * @param {Kind} kind
   * @returns {Promise<unknown>}
   */
  load(kind) {
    throw new Error(`no ${kind}`);
  }

  /**
   * A kind that there is.
   * @param {Kind} kind
   */
  site(kind) {
    const found = this.sites.get(kind);
    if (!found) throw new Error(`no ${kind}`);
    return found;
  }

  /**
   * What a small picture's cells hold.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @returns {Small}
   */
  small(kind, layer, head) {
    throw new Error(`no weights of ${kind} ${layer}.${head}`);
  }

  /**
   * A head's numbers between its rows and columns at a step, from those between pieces.
   * @param {Kind} _kind
   * @param {number} _layer
   * @param {number} _head
   * @param {Head} pieces
   * @param {number | null} _step
   * @returns {Head & { cut?: number, sums?: boolean }}
   */
  head(_kind, _layer, _head, pieces, _step) {
    return pieces;
  }

  /**
   * How many queries and keys of pieces a cell of a head is made of at a step.
   * @param {Kind} _kind
   * @param {number[]} _at
   * @param {number | null} _step
   * @param {[number, number, (number[] | null)?]} _head
   */
  counts(_kind, _at, _step, _head) {
    return { queries: 1, keys: 1 };
  }

  /**
   * Labels of the query axis: what a decoder row writes.
   * @param {Kind} kind
   */
  queries(kind) {
    return isDecoder(kind) ? this.written : this.source;
  }

  /**
   * Labels of the key axis: tokens that were read.
   * @param {Kind} kind
   */
  keys(kind) {
    return kind === "decoder_self" ? this.keysRead : this.source;
  }

  /**
   * How many rows of `kind` exist at `step` (from 0; null for all): stepping is slicing.
   * @param {Kind} kind
   * @param {number | null} step
   */
  rowsAt(kind, step) {
    const site = this.site(kind);
    return isDecoder(kind) && step !== null ? Math.min(step + 1, site.rows) : site.rows;
  }

  /**
   * Names the mask of a head: all heads of a kind that have the same one have one name.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [_other] the head of a second trace, null where it is the same
   * @returns {string}
   */
  maskOf(kind, layer, head, _other) {
    throw new Error(`no mask of ${kind} ${layer}.${head}`);
  }

  /**
   * The mask of a head as `allowed` keeps it.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [_other]
   * @returns {Uint8Array}
   */
  mask(kind, layer, head, _other) {
    throw new Error(`no mask of ${kind} ${layer}.${head}`);
  }

  /**
   * Uint8Array (query, key) of a head, 1 = may attend.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [other]
   */
  allowed(kind, layer, head, other) {
    const name = this.maskOf(kind, layer, head, other);
    return this.masks.get(name, () => this.mask(kind, layer, head, other));
  }

  /**
   * Whether an edit put weights into rows of a head, maybe where its mask forbids them.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [_other]
   */
  isPut(kind, layer, head, _other) {
    return Boolean(this.site(kind).forced?.[layer][head].length);
  }

  /**
   * Are the packed weights of this kind no cell's own?
   * @param {Kind} _kind
   */
  coarse(_kind) {
    return false;
  }

  /**
   * Uint8Array (query, key) of a head, 1 = drawn: where it may look, and where an edit put a weight all the same.
   * @param {Kind} kind
   * @param {[number, number, (number[] | null)?]} head
   * @param {Float32Array} weights its own
   * @param {string} status
   */
  drawn(kind, head, weights, status) {
    const allowed = this.allowed(kind, ...head);
    if (!this.isPut(kind, ...head) || (status !== "exact" && this.coarse(kind))) return allowed;
    const drawn = this.put.get(weights) ?? allowed.map((open, at) => (open || weights[at] !== 0 ? 1 : 0));
    this.put.set(weights, drawn);
    return drawn;
  }

  /**
   * How many cells a head may look at in the first `rows` rows.
   * @param {Kind} kind
   * @param {number} rows
   * @param {[number, number, (number[] | null)?]} head
   */
  openCells(kind, rows, ...head) {
    const sums = this.opened.get(this.maskOf(kind, ...head), () => {
      const { rows: all, columns } = this.site(kind);
      const mask = this.allowed(kind, ...head);
      const sums = new Int32Array(all + 1);
      for (let row = 0, at = 0; row < all; row += 1) {
        sums[row + 1] = sums[row];
        for (const end = at + columns; at < end; at += 1) sums[row + 1] += mask[at];
      }
      return sums;
    });
    return sums[rows];
  }

  /**
   * Does a head's mask forbid anything in the first `rows` rows?
   * @param {Kind} kind
   * @param {number} rows
   * @param {[number, number, (number[] | null)?]} head
   */
  forbids(kind, rows, ...head) {
    return this.openCells(kind, rows, ...head) < rows * this.site(kind).columns;
  }

  /**
   * The cell that shows a cell of pieces, and back: the same, where pieces are what is shown.
   * @param {Kind} _kind
   * @param {number[]} at
   */
  shownAt(_kind, at) {
    return at;
  }

  /**
   * @param {Kind} _kind
   * @param {number[]} at
   */
  pieceAt(_kind, at) {
    return at;
  }

  /**
   * The step at which a decoder row is written.
   * @param {number} row
   */
  stepAt(row) {
    return row;
  }

  /**
   * What was measured of a head.
   * @param {Kind} kind
   * @param {string} name
   * @param {number} layer
   * @param {number} head
   */
  trait(kind, name, layer, head) {
    return this.site(kind).traits[name][layer][head];
  }

  /**
   * Names of what `trait` knows of this kind.
   * @param {Kind} kind
   */
  traitsOf(kind) {
    return Object.keys(this.site(kind).traits);
  }
}
