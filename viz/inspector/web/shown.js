// What an inspector shows of the chosen head: in pieces or in words, alone or beside others,
// whole or without its smallest weights.
import { isDecoder } from "./data/seen.js";
import { ranking } from "./views/order.js";
import { heads, keep } from "./views/overlay.js";
import { largest } from "./views/paint.js";
import { cellWeight } from "./data/text.js";
import { trimmed } from "./views/trim.js";
import { View } from "./view.js";

const TINY = new Float32Array(0);

/** A subclass sets model, view, exact, and inWords (the trace in words, or null). */
export class Shown extends View {
  /** Pieces, or words where there are any of several pieces. */
  get seen() {
    return this.inWords && this.store.get().words ? this.inWords : this.model;
  }

  /** Heads [layer, head] whose lines are drawn, by their numbers. */
  heads(state) {
    return heads(this.model.sites.get(state.kind), state);
  }

  /** Where a phone has the large picture above or below what was tapped, it comes into sight. */
  reveal(tapped) {
    const [large, small] = [this.heading, tapped].map((element) => element.getBoundingClientRect());
    const beside = large.left >= small.right;
    if (beside || (large.top >= 0 && large.top < window.innerHeight / 2)) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.heading.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  }

  keep(head) {
    if (this.view === "inspect") keep(this.store, head);
  }

  /** The pinned token among those shown: [row, -1], [-1, column] or null. */
  held({ kind, held }) {
    if (!held) return null;
    const { rows, columns } = this.seen.sites.get(kind);
    const at = this.seen.shownAt(kind, held);
    return at[0] < rows && at[1] < columns ? at : null;
  }

  /** The chosen head's numbers first, then those of the heads beside it, one after the other. */
  wantExact(state) {
    const { kind, layer, head } = state;
    const next =
      this.exact.status(kind, layer, head) === "loading"
        ? null
        : this.heads(state).find(([l, n]) => this.exact.status(kind, l, n) === "loading");
    this.exact.want(kind, ...(next ?? [layer, head]));
  }

  /** Heads [layer, head] in the order of the grid; null for the model's own. */
  ranking(state) {
    return ranking(this.model, state);
  }

  /** The chosen head: {weights, scores, status}; packed until the exact floats are here. */
  current() {
    const { layer, head } = this.store.get();
    return this.headAt(layer, head);
  }

  headAt(layer, head) {
    const { kind, step } = this.store.get();
    const pieces = this.inPieces(layer, head);
    return this.seen === this.model || pieces.weights === TINY ? pieces : this.seen.head(kind, pieces, step);
  }

  inPieces(layer, head) {
    const { kind } = this.store.get();
    const exact = this.exact.get(kind, layer, head);
    if (exact) return { ...exact, status: "exact" };
    if (kind === undefined) return { weights: TINY, scores: null, shares: null, status: "loading" };
    return {
      weights: this.model.weights(kind, layer, head),
      scores: null,
      shares: null,
      status: this.exact.status(kind, layer, head),
    };
  }

  /** What the large head's cells hold. */
  shown({ kind, layer, head, trim }) {
    const { weights, ...more } = this.headAt(layer, head);
    if (!trim || this.view !== "inspect" || weights === TINY) return { ...more, values: weights };
    const { rows, columns } = this.seen.sites.get(kind);
    return { ...more, values: weights, ...trimmed(weights, rows, columns, trim) };
  }

  /** What a small picture's cells hold. */
  small({ kind }, layer, head) {
    return this.seen.small(kind, layer, head);
  }

  /** Names the trace beside kind, layer and head: one inspector has one. */
  traceKey() {
    return this.seen === this.model ? "" : "words";
  }

  /** What a cell between words is made of, as lines of its tip. */
  madeOf({ kind, step }, at) {
    if (this.seen === this.model) return [];
    const { queries, keys } = this.seen.counts(kind, at, step);
    return queries > 1 || keys > 1 ? [[this.words.cell_made_of, { queries: String(queries), keys: String(keys) }]] : [];
  }

  /** Colours of values, and the values at their two ends: 0 and 1, or the largest when stretched. */
  shade(state, values) {
    return { table: this.theme.scales[state.kind], low: 0, high: state.stretch ? largest(values) : 1 };
  }

  cellText(_state, value) {
    return cellWeight(value);
  }

  /** The row that is spoken of: the step's in a decoder, else the one pointed at or pinned. */
  focusRow(state) {
    if (isDecoder(state.kind)) return this.seen.rowsAt(state.kind, state.step) - 1;
    if (state.hover && state.hover[0] >= 0) return state.hover[0];
    return state.pinned ? this.pinned(state)[0] : null;
  }

  /** Last row of the stages; an encoder has no step, so there it is the pinned row or the last. */
  stageRow(state) {
    if (isDecoder(state.kind)) return state.step;
    return state.pinned ? state.pinned[0] : this.model.sites.get(state.kind).rows - 1;
  }
}
