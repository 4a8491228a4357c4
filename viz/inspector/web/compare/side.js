// @ts-check
// One of the pictures of a pair, a trace's (traceside.js) or the difference (difference.js). Each draws
// the parts of the inspector from one store, where cells are places (both.js), and speaks of its own
// cells and heads.
import { h, text } from "../views/dom.js";
import { createGrid } from "../views/grid.js";
import { cursorKeys } from "../keys.js";
import { createMatrix } from "../views/matrix.js";
import { whole } from "../data/part.js";
import { format } from "../data/text.js";
import { createTip } from "../views/tip.js";

/** @import { HeadState, Kind, Store, Words } from "../types" */
/** @import { Layout } from "../views/layout.js" */
/** @import { Says } from "../views/tip.js" */
/** @import { Difference } from "./difference.js" */
/** @import { Pair } from "./pair.js" */
/** @import { TraceSide } from "./traceside.js" */
/** @import { PairState } from "./types" */

const [STACKED, ABREAST] = [680, 1050]; // pixels, as in style.css

/** Of a head, weights are all that is compared. */
export const BARE = { scores: null, shares: null };

export class Side {
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
    this.live = pair.live;
    this.sizes = pair.sizes;
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

  /** @param {KeyboardEvent} event */
  cursor(event) {
    cursorKeys(this.app, event);
  }

  /** Of two, neither is told of without being pointed at. */
  markedRow() {
    return null;
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
    this.tip.render(own, at, this.matrix.box(at));
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
      box: this.matrix.box([0, 0]),
      title: this.heading.textContent,
    };
  }

  stop() {
    this.grid.stop();
  }
}
