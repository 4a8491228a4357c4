// @ts-check
// What an inspector shows of the chosen head: in pieces or in words, alone or beside others,
// whole or without its smallest weights.
import { ExactHeads } from "./data/exact.js";
import { isDecoder } from "./data/seen.js";
import { h } from "./views/dom.js";
import { shownPart } from "./data/part.js";
import { ranking } from "./views/order.js";
import { heads, keep } from "./views/overlay.js";
import { largest } from "./views/paint.js";
import { cellWeight, measured } from "./data/text.js";
import { toldRow } from "./views/told.js";
import { trimmed } from "./views/trim.js";
import { hasPieces, Words } from "./views/units.js";
import { View } from "./view.js";

/** @import { Chosen, HeadState, Inspecting, Meta, Store } from "./types" */
/** @import { Model } from "./data/model.js" */
/** @import { Seen } from "./data/seen.js" */

/** @extends {View<Chosen>} */
export class Shown extends View {
  /**
   * @param {HTMLElement} root
   * @param {Model} model
   * @param {Store<Chosen>} store
   * @param {Meta} meta
   */
  constructor(root, model, store, meta) {
    super(root, store, meta);
    this.model = model;
    this.inWords = this.view === "inspect" && hasPieces(model) ? new Words(model) : null;
    this.exact = new ExactHeads(model, () => this.schedule());
    this.heading = h("h2", { class: "hl-title", "data-testid": "hl-title" });
  }

  /**
   * Pieces, or words where there are any of several pieces.
   * @returns {Seen}
   */
  get seen() {
    return this.inWords && this.store.get().words ? this.inWords : this.model;
  }

  /** @type {Inspecting["heads"]} those whose lines are drawn, by their numbers */
  heads(state) {
    return heads(this.model.site(state.kind), { ...state, kept: this.store.get().kept });
  }

  /**
   * Where a phone has the large picture above or below what was tapped, it comes into sight.
   * @param {HTMLElement} tapped
   */
  reveal(tapped) {
    const [large, small] = [this.heading, tapped].map((element) => element.getBoundingClientRect());
    const beside = large.left >= small.right;
    if (beside || (large.top >= 0 && large.top < window.innerHeight / 2)) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.heading.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  }

  /** @param {number[]} head */
  keep(head) {
    if (this.view !== "inspect") return false;
    keep(this.store, head);
    return true;
  }

  /** @type {Inspecting["tell"]} */
  tell(kind, layer, head) {
    return measured(super.tell(kind, layer, head), this.words, this.seen !== this.model);
  }

  /** @type {Inspecting["held"]} [row, -1], [-1, column] or null */
  held({ kind, held }) {
    if (!held) return null;
    const { rows, columns } = this.seen.site(kind);
    const at = this.seen.shownAt(kind, held);
    return at[0] < rows && at[1] < columns ? at : null;
  }

  /** @type {Inspecting["part"]} */
  part(state) {
    const { kind, zoom } = state;
    return zoom ? shownPart(this.seen, kind, zoom) : super.part(state);
  }

  /**
   * The chosen head's numbers first, then those of the heads beside it, one after the other.
   * @param {Chosen} state
   */
  wantExact(state) {
    const { kind, layer, head } = state;
    const loading = (/** @type {number} */ l, /** @type {number} */ n) => this.exact.status(kind, l, n) === "loading";
    const next = loading(layer, head) ? undefined : this.heads(state).find(([l, n]) => loading(l, n));
    const [l, n] = next ?? [layer, head];
    this.exact.want(kind, l, n);
  }

  /** @type {Inspecting["ranking"]} */
  ranking(state) {
    const { order, top } = this.store.get();
    return ranking(this.model, { kind: state.kind, order, top });
  }

  /** The chosen head: {weights, scores, shares, status}; packed until the exact floats are here. */
  current() {
    const { layer, head } = this.store.get();
    return this.headAt(layer, head);
  }

  /** @type {Inspecting["headAt"]} */
  headAt(layer, head) {
    const { kind, step } = this.store.get();
    return this.seen.head(kind, layer, head, this.exact.head(kind, layer, head), step);
  }

  /** @type {Inspecting["shown"]} */
  shown({ kind, layer, head }) {
    const { trim } = this.store.get();
    const { weights, ...more } = this.headAt(layer, head);
    if (!trim || this.view !== "inspect") return { ...more, values: weights };
    const { rows, columns } = this.seen.site(kind);
    return { ...more, values: weights, ...trimmed(weights, rows, columns, trim) };
  }

  /** @type {Inspecting["small"]} */
  small({ kind }, layer, head) {
    return this.seen.small(kind, layer, head);
  }

  /** Names the trace beside kind, layer and head: one inspector has one. */
  traceKey() {
    return this.seen === this.model ? "" : "words";
  }

  /** @type {Inspecting["shade"]} ends are 0 and 1, or the largest when stretched */
  shade(state, values) {
    return { table: this.theme.scales[state.kind], low: 0, high: state.stretch ? largest(values) : 1 };
  }

  /** @type {Inspecting["cellText"]} */
  cellText(_state, value) {
    return cellWeight(value);
  }

  /**
   * The row that is spoken of: the step's in a decoder, else the one pointed at or pinned, else the one
   * that the page tells of anyway.
   * @param {HeadState} state
   */
  focusRow(state) {
    if (isDecoder(state.kind)) return this.seen.rowsAt(state.kind, state.step) - 1;
    return super.focusRow(state) ?? (this.tellsOfRow ? this.rowShown(state, this.stageRow(state)) : null);
  }

  /** Step works one row out, and a model that writes nothing says something at one. */
  get tellsOfRow() {
    return this.view === "step" || Boolean(this.model.meta.told);
  }

  /**
   * In an encoder it is the row that is worked out, or at whose token it is said what the model says.
   * @param {HeadState} state
   */
  markedRow(state) {
    if (isDecoder(state.kind) || !this.tellsOfRow) return super.markedRow(state);
    return this.rowShown(state, this.view === "step" ? this.stageRow(state) : toldRow(this, state));
  }

  /**
   * The row among those shown that a row of pieces is in.
   * @param {HeadState} state
   * @param {number} row
   */
  rowShown({ kind }, row) {
    return this.seen.shownAt(kind, [row, -1])[0];
  }

  /**
   * Last row of the stages; an encoder has no step, so there it is the pinned row or the last: of
   * a language model, which foretells at each row, that of the last word.
   * @param {HeadState} state
   */
  stageRow(state) {
    const last = this.model.site(state.kind).rows - 1;
    if (isDecoder(state.kind)) return state.step ?? last;
    if (state.pinned) return state.pinned[0];
    return this.model.meta.told ? Math.max(0, last - 1) : last;
  }
}
