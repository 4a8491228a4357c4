// @ts-check
// One of the three pictures of a pair: the first trace, the second, and what the second has less
// the first. Each draws the parts of the inspector from one store, where cells are places
// (both.js), and speaks of its own cells and heads.
import { h, text } from "../views/dom.js";
import { ExactHeads, lessSure } from "../data/exact.js";
import { createGrid } from "../views/grid.js";
import { cursorKeys, pickCell } from "../keys.js";
import { createMatrix } from "../views/matrix.js";
import { whole } from "../data/part.js";
import { headOf } from "../data/seen.js";
import { largest, Memo, reach } from "../views/paint.js";
import { cellWeight, format, measured, near, signed, signedCell, wholePercent } from "../data/text.js";
import { createTip, weightOf } from "../views/tip.js";

/** @import { App, Head, HeadState, Kind, Store, Words } from "../types" */
/** @import { Layout } from "../views/layout.js" */
/** @import { Says } from "../views/tip.js" */
/** @import { Pair } from "./pair.js" */
/** @import { PairState } from "./types" */

const [STACKED, ABREAST] = [680, 1050]; // pixels, as in style.css
const BARE = { scores: null, shares: null }; // of a head, weights are all that is compared

class Side {
  /**
   * @param {Pair} pair
   * @param {number} index 0 and 1 for the traces, 2 for their difference
   * @param {Says} says
   */
  constructor(pair, index, says) {
    this.pair = pair;
    this.index = index;
    this.name = pair.words[["first", "second", "difference"][index]];
    /** @type {Words} */
    this.words = { ...pair.words, grid: `${pair.words.grid}, ${this.name}` };
    this.language = pair.language;
    this.live = pair.live;
    this.sizes = pair.sizes;
    this.picturesKept = 4;
    /** @type {Store<HeadState>} */
    this.store = {
      get: () => this.state(),
      set: (patch) => pair.store.set(this.shared(patch)),
      subscribe: (listener) => pair.store.subscribe((state, before) => listener(this.state(state), this.state(before))),
    };
    this.tip = createTip(this.app, "hl-tip", says);
    this.heading = h("h3", { class: "hl-sub hl-side-title" });
    this.matrix = createMatrix(this.app);
    this.grid = createGrid(this.app);
    this.caption = h("p", { class: "hl-note hl-side-caption" }, pair.words.grid);
    this.element = h(
      "section",
      { class: "hl-side", "data-side": ["first", "second", "difference"][index], "aria-label": this.name },
      this.heading,
      this.matrix.element,
      this.caption,
      this.grid.element,
    );
  }

  /** Itself, with all that a subclass tells. */
  get app() {
    return /** @type {TraceSide | Difference} */ (/** @type {unknown} */ (this));
  }

  get theme() {
    return this.pair.theme;
  }

  /**
   * All of what is shown.
   * @param {HeadState} state
   */
  part({ kind }) {
    return whole(this.app.seen.site(kind));
  }

  traceKey() {
    return this.pair.store.get().words ? "words" : "";
  }

  /**
   * [layer, head] that is shown here.
   * @param {PairState} state
   */
  headOf({ layer, head }) {
    return [layer, head];
  }

  /**
   * The state as this side sees it: its own head, and cells of its own.
   * @returns {HeadState}
   */
  state(state = this.pair.store.get()) {
    const [layer, head] = this.headOf(state);
    const own = (/** @type {number[] | null} */ cell) => cell && this.cellAt(state.kind, cell);
    const [hover, pinned] = [own(state.hover), own(state.pinned)];
    return {
      ...state,
      layer,
      head,
      step: null,
      pointed: state.pointed || state.over !== this.index,
      hover: hover && Math.max(...hover) >= 0 ? hover : null,
      pinned: pinned && Math.min(...pinned) >= 0 ? pinned : null,
    };
  }

  /**
   * What is changed here, as the pair knows it.
   * @param {Partial<HeadState>} patch
   * @returns {Partial<PairState>}
   */
  shared(patch) {
    const { layer, head, ...more } = patch;
    const { kind } = this.pair.store.get();
    const rest = /** @type {Partial<PairState>} */ (more);
    if (rest.hover) rest.hover = this.placeOf(kind, rest.hover);
    if (rest.pinned) rest.pinned = this.placeOf(kind, rest.pinned);
    if ("hover" in patch) rest.over = this.index;
    return layer === undefined || head === undefined
      ? rest
      : { ...rest, ...this.pair.choose(this.index, [layer, head]) };
  }

  /**
   * @param {Kind} kind
   * @param {number[]} cell
   */
  cellAt(kind, cell) {
    return this.pair.seen.cellAt(kind, this.index, cell);
  }

  /**
   * @param {Kind} kind
   * @param {number[]} cell
   */
  placeOf(kind, cell) {
    return this.pair.seen.placeOf(kind, this.index, cell);
  }

  /** @param {HeadState} state */
  pinned({ pinned }) {
    return pinned;
  }

  /**
   * What is pinned is a place of what is shown; only outside of the pair it is pieces (selection.js).
   * @param {Kind} _kind
   * @param {number[]} cell
   */
  pinOf(_kind, cell) {
    return cell;
  }

  /** What a side has none of: pinned tokens, an order, heads beside each other, a place to scroll to. */
  held() {
    return null;
  }

  /**
   * @param {HeadState} _state
   * @returns {number[][] | null}
   */
  ranking(_state) {
    return null;
  }

  /** @returns {number[][]} */
  heads() {
    return [];
  }

  keep() {
    return false;
  }

  reveal() {}

  /**
   * @param {HeadState} _state
   * @param {number[]} _at
   * @returns {ReturnType<App["madeOf"]>}
   */
  madeOf(_state, _at) {
    return [];
  }

  gridNote() {
    return this.words.grid_note;
  }

  /** @param {number[]} at */
  pick(at) {
    pickCell(this.app, at);
  }

  /** @param {KeyboardEvent} event */
  cursor(event) {
    cursorKeys(this.app, event);
  }

  /** @param {HeadState} state */
  focusRow({ hover, pinned }) {
    return hover && hover[0] >= 0 ? hover[0] : pinned ? pinned[0] : null;
  }

  /**
   * Layouts of the matrices that stand in one row with this one, its own among them.
   * @param {Layout} _own
   */
  abreast(_own) {
    const width = this.sizes.of(this.pair.root)[0];
    const { sides, traces } = this.pair;
    const paired = width >= STACKED && this.index < traces.length;
    /** @type {Side[]} */
    const row = width >= ABREAST ? sides : paired ? traces : [this];
    return row.map(({ matrix }) => matrix.layout);
  }

  /** One under the other, there is room; beside each other, all three are to be seen at once. */
  gridHeight() {
    return this.sizes.of(this.pair.root)[0] < STACKED ? 300 : 150;
  }

  /** @param {HeadState} state */
  title({ layer, head }) {
    return `${this.name} · ${format(this.words.head_name, { layer: layer + 1, head: head + 1 })}`;
  }

  flush() {
    this.pair.flush();
  }

  /**
   * Cells and what is pointed at.
   * @param {PairState} state
   */
  render(state) {
    const own = this.state(state);
    this.matrix.render(own);
    // The side that is pointed at says what its cell holds; the line below says it of all.
    const at = state.over === this.index ? own.hover : null;
    this.tip.render(own, at, at && this.matrix.box(Math.max(at[0], 0), Math.max(at[1], 0)));
  }

  /**
   * All that does not depend on what is pointed at.
   * @param {PairState} state
   */
  renderFacts(state) {
    const own = this.state(state);
    text(this.heading, this.title(own));
    this.grid.render(own);
  }

  drawn() {
    return {
      matrix: this.matrix.drawn(),
      grid: this.grid.drawn(),
      box: this.matrix.box(0, 0),
      title: this.heading.textContent,
    };
  }

  stop() {
    this.grid.stop();
  }
}

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

  get model() {
    return this.seen;
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
    const exact = this.exact.get(kind, layer, head);
    const { seen, pieces } = this;
    const own = exact
      ? { ...BARE, weights: exact.weights, status: "exact" }
      : { ...BARE, weights: pieces.weights(kind, layer, head), status: this.exact.status(kind, layer, head) };
    return seen === pieces ? own : seen.head(kind, own, null);
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
    return this.model.small(kind, layer, head);
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

  /**
   * What a cell between words is made of, as lines of its tip.
   * @param {HeadState} state
   * @param {number[]} at
   * @returns {ReturnType<App["madeOf"]>}
   */
  madeOf({ kind }, at) {
    if (this.seen === this.pieces) return [];
    const { queries, keys } = this.seen.counts(kind, at, null);
    return queries > 1 || keys > 1 ? [[this.words.cell_made_of, { queries: String(queries), keys: String(keys) }]] : [];
  }

  stop() {
    super.stop();
    this.exact.stop();
  }
}

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
    const { pair, words, model } = /** @type {Difference} */ (app);
    const state = pair.store.get();
    const { kind } = state;
    const { columns } = model.site(kind);
    const missing = pair.missing([Math.floor(at / columns), at % columns]);
    if (missing) return [missing, {}];
    if (!model.allowed(kind, ...headOf(state))[at]) return [words.cell_forbidden, {}];
    const { weights, status } = app.current();
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

  get model() {
    return this.seen;
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
    const values = this.differences.get(key, () => this.model.minus(state.kind, first.weights, second.weights));
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
    return this.model.small(kind, layer, head);
  }

  /** @param {HeadState} state */
  ranking({ kind }) {
    return this.model.ranking(kind);
  }

  /**
   * What the grid says of a head.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  tell(kind, layer, head) {
    const change = this.model.change(kind, layer, head);
    return change === null ? "" : format(this.words.changed, { share: packed(change) });
  }

  /**
   * In which order the heads are, and how much the one in view changed.
   * @param {PairState} state
   * @param {boolean} alike
   */
  said({ kind, layer, head, other }, alike) {
    const { words } = this;
    if (!alike) return words.unlike;
    const change = this.model.change(kind, layer, head);
    if (change === null) return words.grid;
    const [rows, all] = [this.model.sharedRows(kind), this.model.rowPairs(kind).length];
    const parts = [words.most_first];
    if (other === null)
      parts.push(
        format(words.change_here, {
          head: format(words.head_name, { layer: layer + 1, head: head + 1 }),
          share: packed(change),
        }),
      );
    if (rows < all) parts.push(format(words.shared_rows, { rows, all }));
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
    const alike = this.model.alike(state.kind);
    this.grid.element.hidden = !alike;
    text(this.heading, this.title());
    text(this.caption, this.said(state, alike));
    // A head of the grid is one that both have; unlike ones are none of its heads.
    if (alike) this.grid.render({ ...this.state(state), ...(state.other && { layer: -1 }) });
  }
}
