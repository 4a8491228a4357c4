// @ts-check
// What the cells of a film hold: weights of the present milestone, or what has changed since
// another one.
import { ExactHeads, lessSure } from "../data/exact.js";
import { cellWeight, signedCell } from "../data/text.js";
import { largest, reach } from "../views/paint.js";
import { Memo } from "../data/memo.js";
import { View } from "../view.js";

/** @import { Shade, Shown, Small, Store } from "../types" */
/** @import { FilmMeta, FilmState } from "./types" */
/** @import { Reel } from "./reel.js" */

/** Cell by cell. */
const minus = (/** @type {Float32Array} */ now, /** @type {Float32Array} */ then) =>
  now.map((value, at) => value - then[at]);

/** @extends {View<FilmState>} */
export class Pictures extends View {
  /**
   * @param {HTMLElement} root
   * @param {Reel} reel
   * @param {Store<FilmState>} store
   * @param {FilmMeta} meta
   */
  constructor(root, reel, store, meta) {
    super(root, store, meta);
    this.reel = reel;
    this.picturesKept = reel.count + 4;
    /** @type {Map<number, ExactHeads>} */
    this.exact = new Map();
    this.differences = new Memo(8);
  }

  /** The model of the present milestone. */
  get model() {
    return this.reel.models[this.store.get().milestone];
  }

  get seen() {
    return this.model;
  }

  /**
   * The exact numbers of one milestone.
   * @param {number} index
   */
  exactAt(index) {
    const heads = this.exact.get(index) ?? new ExactHeads(this.reel.models[index], () => this.schedule());
    this.exact.set(index, heads);
    return heads;
  }

  /**
   * Asks for the exact numbers of what is shown, and for none of what was passed by.
   * @param {FilmState} state
   */
  want({ kind, layer, head, milestone, compare, view }) {
    const wanted = view === "maps" ? [milestone] : [milestone, compare];
    this.exact.forEach((heads, index) => {
      if (!wanted.includes(index)) heads.stop();
    });
    wanted.forEach((index) => this.exactAt(index).want(kind, layer, head));
  }

  /**
   * {weights, scores, shares, status} of the chosen head at a milestone; packed until the floats are here.
   * @param {number} index
   */
  headAt(index) {
    const { kind, layer, head } = this.store.get();
    return this.exactAt(index).head(kind, layer, head);
  }

  /** The chosen head at the present milestone. */
  current() {
    return this.headAt(this.store.get().milestone);
  }

  /**
   * @param {FilmState} state
   * @returns {Shown}
   */
  shown({ kind, layer, head, milestone, compare, view }) {
    const now = this.headAt(milestone);
    if (view === "maps") return { values: now.weights, status: now.status };
    const then = this.headAt(compare);
    const status = lessSure(now.status, then.status);
    const key = [kind, layer, head, milestone, now.status, compare, then.status].join();
    return { values: this.differences.get(key, () => minus(now.weights, then.weights)), status };
  }

  /**
   * @param {FilmState} state
   * @param {number} layer
   * @param {number} head
   * @returns {Small}
   */
  small({ kind, milestone, compare, view }, layer, head) {
    const now = this.reel.models[milestone].small(kind, layer, head);
    if (view === "maps") return now;
    return { ...now, values: minus(now.values, this.reel.models[compare].small(kind, layer, head).values) };
  }

  /**
   * Weights from 0 to 1; differences from -1 to 1, with 0 in the middle.
   * @param {FilmState} state
   * @param {Float32Array} values
   * @returns {Shade}
   */
  shade({ kind, view, stretch }, values) {
    if (view === "maps") return { table: this.theme.scales[kind], low: 0, high: stretch ? largest(values) : 1 };
    const most = stretch ? reach(values) : 1;
    return { table: this.theme.diverging, low: -most, high: most };
  }

  /** @param {FilmState} state */
  traceKey({ milestone, compare, view }) {
    return view === "maps" ? `${milestone}` : `${milestone}-${compare}`;
  }

  /**
   * @param {FilmState} state
   * @param {number} value
   */
  cellText({ view }, value) {
    return view === "maps" ? cellWeight(value) : signedCell(value);
  }

  stop() {
    super.stop();
    this.exact.forEach((heads) => heads.stop());
  }
}
