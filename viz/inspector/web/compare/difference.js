// @ts-check
// What the second trace of a pair has less the first, cell by cell and head by head.
import { text } from "../views/dom.js";
import { lessSure } from "../data/exact.js";
import { headOf } from "../data/seen.js";
import { reach } from "../views/paint.js";
import { Memo } from "../data/memo.js";
import { same } from "../store.js";
import { format, near, signed, signedCell, wholePercent } from "../data/text.js";
import { BARE, Side } from "./side.js";

/** @import { App, HeadState, Kind } from "../types" */
/** @import { Says } from "../views/tip.js" */
/** @import { Pair } from "./pair.js" */
/** @import { PairState } from "./types" */

const FEW = 3; // with less than a third of the rows shared, hardly anything is compared

/** Do the sides show two heads? @type {(state: PairState) => boolean} */
const apart = ({ layer, head, other }) => other !== null && !same(other, [layer, head]);

/** A share that comes of packed weights. */
const packed = (/** @type {number} */ share) => near("loading", wholePercent(share));

/**
 * What a cell of the difference says.
 * @type {Says}
 */
const says = {
  always: true,
  silent: true,
  valueOf(app, at) {
    const { pair, words, seen } = /** @type {Difference} */ (app);
    const state = pair.store.get();
    const { kind } = state;
    const { columns } = seen.site(kind);
    const missing = pair.missing([Math.floor(at / columns), at % columns]);
    if (missing) return [missing, {}];
    const { weights, status } = app.current();
    if (!seen.drawn(kind, headOf(state), weights, status)[at]) return [words.cell_forbidden, {}];
    return [words.cell_change_of_pair, { change: near(status, signed(weights[at])) }];
  },
};

/** @implements {App} */
export class Difference extends Side {
  /** @param {Pair} pair */
  constructor(pair) {
    super(pair, 2, says);
    this.differences = new Memo(4);
  }

  /** Both in one, pieces or words. */
  get seen() {
    return this.pair.seen;
  }

  /**
   * @param {Kind} _kind
   * @param {number[]} cell
   */
  cellAt(_kind, cell) {
    return cell;
  }

  /**
   * @param {Kind} _kind
   * @param {number[]} cell
   */
  placeOf(_kind, cell) {
    return cell;
  }

  title() {
    return this.name;
  }

  shown() {
    const state = this.pair.store.get();
    const [first, second] = this.pair.traces.map((trace) => trace.current());
    const status = lessSure(first.status, second.status);
    const key = [state.kind, state.layer, state.head, state.other, state.words, first.status, second.status].join();
    const values = this.differences.get(key, () => this.seen.minus(state.kind, first.weights, second.weights));
    const cut = /** @type {number} */ (/** @type {unknown} */ (key)); // the second's head is no part of the state
    return { values, status, cut };
  }

  current() {
    const { values, status } = this.shown();
    return { ...BARE, weights: values, status };
  }

  /**
   * @param {HeadState} state
   * @param {number} layer
   * @param {number} head
   */
  small({ kind }, layer, head) {
    return this.seen.small(kind, layer, head);
  }

  /** @param {HeadState} state */
  ranking({ kind }) {
    return this.seen.ranking(kind);
  }

  /**
   * What the grid says of a head.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  tell(kind, layer, head) {
    const change = this.seen.change(kind, layer, head);
    return change === null ? "" : format(this.words.changed, { share: packed(change) });
  }

  /**
   * In which order the heads are, and how much the one in view changed.
   * @param {PairState} state
   * @param {boolean} alike
   */
  said(state, alike) {
    const { words } = this;
    const { kind, layer, head } = state;
    if (!alike) return words.unlike;
    const change = this.seen.change(kind, layer, head);
    if (change === null) return words.grid;
    const [rows, all] = [this.seen.sharedRows(kind), this.seen.rowPairs(kind).length];
    const name = format(words.head_name, { layer: layer + 1, head: head + 1 });
    const here = apart(state) ? words.heads_apart : format(words.change_here, { head: name, share: packed(change) });
    const shared = format(words[rows * FEW < all ? "few_rows" : "shared_rows"], { rows, all });
    const parts = [words.most_first, here];
    if (rows * FEW < all)
      parts.unshift(shared); // what follows says little
    else if (rows < all) parts.push(shared);
    return parts.join(" ");
  }

  /**
   * @param {HeadState} state
   * @param {Float32Array} values
   */
  shade({ stretch }, values) {
    const most = stretch ? reach(values) : 1;
    return { table: this.theme.diverging, low: -most, high: most };
  }

  /**
   * @param {HeadState} _state
   * @param {number} value
   */
  cellText(_state, value) {
    return signedCell(value);
  }

  /**
   * Unlike stacks of heads have no differences head by head.
   * @param {PairState} state
   */
  renderFacts(state) {
    const alike = this.seen.alike(state.kind);
    this.grid.element.hidden = !alike;
    text(this.heading, this.title());
    text(this.caption, this.said(state, alike));
    // A head of the grid is one that both have; of two others it has none.
    if (alike) this.grid.render({ ...this.state(state), ...(apart(state) && { layer: -1 }) });
  }
}
