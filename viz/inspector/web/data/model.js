// @ts-check
// Reads what viz/inspector/quantise.py packed. Weights come out as Float32Array, row-major
// (query, key); layers, heads and rows count from 0 in here.
import { KEPT, Seen } from "./seen.js";
import { Memo } from "./memo.js";
import { server } from "./source.js";
import { candidates, tokensOf } from "./tokens.js";

/** @import { Ask, Kind, Meta, Site, Small } from "../types" */

const LEVELS = 255;
/** @param {number} bits of a float16 */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const u16 = (/** @type {Uint8Array} */ body, /** @type {number} */ at) => body[at] | (body[at + 1] << 8);
const BELOW = 1023 / 1024; // of a row's largest weight, a step of float16 less

/**
 * A coarse head at the size of the real one. The largest weight of each row stands where it is,
 * and no other cell reaches it.
 * @param {Small} small
 * @param {Site & { peaks: number }} site
 * @param {Uint8Array} body
 * @param {number} index of the head among all
 */
function spread({ values, rows, columns }, site, body, index) {
  const out = new Float32Array(site.rows * site.columns);
  const from = Int32Array.from({ length: site.columns }, (_, column) => Math.floor((column * columns) / site.columns));
  for (let row = 0; row < site.rows; row += 1) {
    const peak = site.peaks + 4 * (index * site.rows + row);
    const largest = half(u16(body, peak));
    const most = largest * BELOW;
    const [start, to] = [Math.floor((row * rows) / site.rows) * columns, row * site.columns];
    for (let column = 0; column < site.columns; column += 1) {
      const value = values[start + from[column]];
      out[to + column] = value < most ? value : most;
    }
    out[to + u16(body, peak + 2)] = largest;
  }
  return out;
}

/** One trace, in the pieces that its model reads and writes. */
export class Model extends Seen {
  /**
   * @param {Meta} meta
   * @param {Uint8Array | null} bytes what all kinds lie in, where it is here already
   * @param {Ask} ask for what is not
   */
  constructor(meta, bytes = null, ask = server) {
    const [source, read, written] = [meta.source, meta.read, meta.written].map((own) => tokensOf(own, meta.ui.text));
    super({ source, read, written }, new Map(meta.sites.map((site) => [site.kind, site])));
    this.meta = meta;
    this.ask = ask;
    /** @type {Map<Kind, Uint8Array>} */
    this.bodies = new Map();
    if (bytes) meta.sites.forEach(({ kind }) => this.bodies.set(kind, bytes));
    this.decoded = new Memo(KEPT);
  }

  /**
   * The packed weights of a kind that was loaded.
   * @param {Kind} kind
   */
  body(kind) {
    const found = this.bodies.get(kind);
    if (!found) throw new Error(`${kind} is not here`);
    return found;
  }

  /**
   * Are the packed weights of this kind here?
   * @param {Kind} kind
   */
  has(kind) {
    return this.bodies.has(kind);
  }

  /**
   * Fetches the packed weights of a kind, unless they are here.
   * @param {Kind} kind
   */
  async load(kind) {
    if (this.has(kind)) return;
    const body = new Uint8Array(await this.fetch(kind));
    const { bytes } = this.site(kind);
    if (body.length !== bytes) throw new Error(`${body.length} bytes for ${bytes} of ${kind}`);
    this.bodies.set(kind, body);
  }

  /**
   * Bytes at a path of this trace.
   * @param {string} path
   * @param {AbortSignal} [signal]
   */
  fetch(path, signal) {
    return this.ask(this.meta.trace_id, path, signal);
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  maskOf(kind, layer, head) {
    return `${kind}/${this.maskAt(kind, layer, head)}`;
  }

  /**
   * Its place among the masks of its kind.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  maskAt(kind, layer, head) {
    const { masks, heads } = this.site(kind);
    return masks > 1 ? layer * heads + head : 0;
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  mask(kind, layer, head) {
    const site = this.site(kind);
    const body = this.body(kind);
    const mask = new Uint8Array(site.rows * site.columns);
    const first = this.maskAt(kind, layer, head) * mask.length;
    for (let cell = 0; cell < mask.length; cell += 1) {
      mask[cell] = (body[site.allowed + ((first + cell) >> 3)] >> ((first + cell) & 7)) & 1;
    }
    return mask;
  }

  /**
   * Packed weights of one head, decoded; within the site's `error` of the tensor's. Where the
   * site is coarse, a cell has the largest of the weights that were packed together with it, if
   * that is less than the largest of its row, which is right.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  weights(kind, layer, head) {
    return this.decoded.get(`${kind}/${layer}/${head}`, () => {
      const { peaks, ...site } = this.site(kind);
      const small = this.small(kind, layer, head);
      const index = layer * site.heads + head;
      return peaks === null ? small.values : spread(small, { ...site, peaks }, this.body(kind), index);
    });
  }

  /**
   * Is a packed head smaller than the real one?
   * @param {Kind} kind
   */
  coarse(kind) {
    return this.site(kind).peaks !== null;
  }

  /**
   * {values, rows, columns} of one head as it was packed, for small pictures.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @returns {Small}
   */
  small(kind, layer, head) {
    const site = this.site(kind);
    const body = this.body(kind);
    const [rows, columns] = site.fine;
    const values = new Float32Array(rows * columns);
    const index = layer * site.heads + head;
    const whole = site.linear ? LEVELS : LEVELS * LEVELS;
    const codes = site.codes + index * rows * columns;
    for (let row = 0; row < rows; row += 1) {
      const maximum = site.maxima + 2 * (index * rows + row);
      const scale = half(u16(body, maximum)) / whole;
      const start = row * columns;
      for (let column = 0; column < columns; column += 1) {
        const code = body[codes + start + column];
        values[start + column] = (site.linear ? code : code * code) * scale;
      }
    }
    return { values, rows, columns };
  }

  /**
   * Vocabulary rows of what was written before `step`, or null where one is unknown.
   * @param {number} step
   */
  writtenIds(step) {
    const ids = (this.meta.next ?? []).slice(0, step).map((entry) => entry.ids[entry.chosen]);
    return ids.length === step && ids.every((id) => id !== undefined) ? ids : null;
  }

  /**
   * Next-token candidates of a step, most likely first, or null.
   * @param {number} step
   */
  next(step) {
    return candidates(this.meta.next, step, this.meta.ui.text);
  }
}
