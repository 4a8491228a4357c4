// @ts-check
// The first or the second trace of a pair, with its own heads and the words that they speak.
import { ExactHeads } from "../data/exact.js";
import { largest } from "../views/paint.js";
import { cellWeight, measured } from "../data/text.js";
import { weightOf } from "../views/tip.js";
import { BARE, Side } from "./side.js";

/** @import { App, Head, HeadState, Kind } from "../types" */
/** @import { Pair } from "./pair.js" */
/** @import { PairState } from "./types" */

/** @implements {App} */
export class TraceSide extends Side {
  /**
   * @param {Pair} pair
   * @param {number} index
   */
  constructor(pair, index) {
    super(pair, index, { valueOf: weightOf });
    this.exact = new ExactHeads(this.pieces, () => pair.schedule());
  }

  get pieces() {
    return this.pair.both.models[this.index];
  }

  /** What is shown, pieces or words. */
  get seen() {
    return this.pair.seen.models[this.index];
  }

  /** @param {PairState} state */
  headOf(state) {
    return this.pair.headOf(state, this.index);
  }

  /** @param {HeadState} state */
  want({ kind, layer, head }) {
    this.exact.want(kind, layer, head);
  }

  /**
   * {weights, status} of the chosen head; packed until the exact floats are here.
   * @returns {Head & { sums?: boolean }}
   */
  current() {
    const { kind, layer, head } = this.state();
    const pieces = { ...this.exact.head(kind, layer, head), ...BARE };
    return this.seen.head(kind, layer, head, pieces, null);
  }

  shown() {
    const { weights, status } = this.current();
    return { values: weights, status };
  }

  /**
   * @param {HeadState} state
   * @param {number} layer
   * @param {number} head
   */
  small({ kind }, layer, head) {
    return this.seen.small(kind, layer, head);
  }

  /**
   * From 0 to 1; stretched, the two large heads have one scale.
   * @param {HeadState} state
   * @param {Float32Array} values
   */
  shade({ kind, stretch }, values) {
    const shared = stretch && values === this.current().weights;
    const high = shared ? this.pair.largest() : stretch ? largest(values) : 1;
    return { table: this.theme.scales[kind], low: 0, high };
  }

  /**
   * @param {HeadState} _state
   * @param {number} value
   */
  cellText(_state, value) {
    return cellWeight(value);
  }

  /**
   * What was measured of a head, on its pieces.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  tell(kind, layer, head) {
    const { pair, pieces, seen, words } = this;
    return measured(pair.traits(pieces, kind, layer, head), words, seen !== pieces);
  }

  stop() {
    super.stop();
    this.exact.stop();
  }
}
