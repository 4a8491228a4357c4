// @ts-check
// Puts two traces and their difference together, and draws them once a frame when something
// changed.
import { paintBar } from "../views/colour.js";
import { attribute, h, text, tokenNode } from "../views/dom.js";
import { createSwitch } from "../views/kinds.js";
import { createScaleButton, createSwatch, exactness } from "../views/legendparts.js";
import { headOf, isDecoder } from "../data/seen.js";
import { largest } from "../views/paint.js";
import { format, fragment, near, signed, visible, weight } from "../data/text.js";
import { View } from "../view.js";
import { seenOf, selectionOf, settlePair } from "./selection.js";
import { Difference } from "./difference.js";
import { TraceSide } from "./traceside.js";
import { createTable } from "./table.js";
import { createExport } from "./export.js";

/** @import { Kind, Store, Token, Wanted } from "../types" */
/** @import { Model } from "../data/model.js" */
/** @import { Both } from "./both.js" */
/** @import { Cell, Facts, PairMeta, PairState, Settled } from "./types" */

/** @extends {View<PairState>} */
export class Pair extends View {
  /**
   * @param {HTMLElement} root
   * @param {Both<Model>} both
   * @param {Store<PairState>} store
   * @param {PairMeta} meta
   */
  constructor(root, both, store, meta, alone = false) {
    super(root, store, meta);
    this.alone = alone; // a page without a server behind it
    this.both = both;
    this.traceIds = both.models.map(({ meta }) => meta.trace_id);
    this.drawnOf = "";
    const { words } = this;
    this.kinds = createSwitch(
      words.kinds,
      both.kinds.map((kind) => ({ value: kind, label: this.kindName(kind) })),
      "hl-kinds",
      (/** @type {Kind} */ kind) => this.show({ kind }),
    );
    this.units =
      both.inWords &&
      createSwitch(
        words.units,
        [
          { value: "pieces", label: words.units_pieces },
          { value: "words", label: words.units_words },
        ],
        "hl-units",
        (unit) => this.regroup(unit === "words"),
      );
    this.traces = [0, 1].map((index) => new TraceSide(this, index));
    this.difference = new Difference(this);
    this.sides = [...this.traces, this.difference];
    this.linked = h("input", { type: "checkbox", "data-testid": "hl-linked" });
    this.linked.onchange = () => store.set({ other: this.linked.checked ? null : this.headOf(store.get(), 1) });
    this.linkedLabel = h("label", { class: "hl-key hl-linked" }, this.linked, words.linked);
    this.scales = createScaleButton(this);
    this.status = h("span", { class: "hl-key hl-status", "data-testid": "hl-status" });
    this.shut = createSwatch("forbidden", words.legend_pair);
    this.reading = h("p", { class: "hl-sentence hl-reading", "data-testid": "hl-reading" });
    this.table = createTable(this);
    this.exporting = createExport(this);
    if (this.chosen) this.build();
    else root.replaceChildren(h("p", { class: "hl-empty" }, words.nothing_shared));
  }

  /** Both in what is shown, pieces or words. */
  get seen() {
    return seenOf(this.both, this.store.get());
  }

  /** Is there anything to choose? */
  get chosen() {
    return this.both.kinds.length > 0;
  }

  build() {
    const bar = h(
      "div",
      { class: "hl-head-bar" },
      this.kinds.element,
      this.units?.element,
      this.linkedLabel,
      h("span", { class: "hl-space" }),
      this.exporting?.element,
      this.scales,
    );
    const sides = h("div", { class: "hl-sides" }, ...this.sides.map(({ element }) => element));
    const legend = h("div", { class: "hl-legend", "data-testid": "hl-legend" }, this.shut, this.status);
    this.fill(this.words.pair, bar, this.problem, this.reading, sides, legend, this.table.element);
  }

  /** @param {Settled} state */
  selection(state = this.store.get()) {
    return selectionOf(state, this.both);
  }

  /**
   * Takes over what was chosen elsewhere.
   * @param {Wanted} wanted
   */
  adopt(wanted) {
    this.show(settlePair({ ...this.selection(), ...wanted }, this.both));
  }

  /**
   * Another kind of attention has other cells.
   * @param {Partial<Settled>} patch
   */
  completed(patch) {
    const kept = { ...selectionOf(this.store.get(), this.both), pinned: null, place: null };
    return { ...settlePair({ ...kept, kind: patch.kind }, this.both), hover: null, ...patch };
  }

  /**
   * Words or pieces; a pinned cell stays pinned.
   * @param {boolean} inWords
   */
  regroup(inWords) {
    const chosen = selectionOf(this.store.get(), this.both);
    this.store.set({ ...settlePair({ ...chosen, words: inWords ? "on" : "off" }, this.both), hover: null });
  }

  /**
   * [layer, head] that a side shows; the second's are the first's as far as it has them.
   * @param {Settled} state
   * @param {number} index
   */
  headOf({ kind, layer, head, other }, index) {
    return this.both.heads(kind, layer, head, other)[index];
  }

  /**
   * What changes when a head is chosen in a side: in both, unless the second goes its own way.
   * @param {number} index
   * @param {number[]} head
   * @returns {Partial<Settled>}
   */
  choose(index, [layer, head]) {
    const { kind, other } = this.store.get();
    const apart = other !== null || !this.both.alike(kind);
    if (index === 1 && apart) return { other: [layer, head] };
    return { layer, head, ...(index === 2 && { other: null }) };
  }

  /**
   * Why the difference has no number in these places; null where it has one.
   * @param {number[]} places
   */
  missing(places) {
    const { kind } = this.store.get();
    const [first, second] = [0, 1].map((side) => Math.min(...this.seen.cellAt(kind, side, places)) >= 0);
    if (first && second) return null;
    return this.words[first ? "only_first" : second ? "only_second" : "in_neither"];
  }

  /** The largest weight of the two large heads. */
  largest() {
    return Math.max(...this.traces.map((trace) => largest(trace.current().weights)));
  }

  /**
   * @param {PairState} state
   * @param {boolean} all
   */
  render(state, all) {
    this.traces.forEach((trace) => trace.want(trace.state(state)));
    this.sides.forEach((side) => side.render(state));
    // Pointing at cells changes little; what does not depend on it is left alone.
    const chosen = JSON.stringify([this.selection(state), this.difference.shown().status, state.stretch]);
    if (all || chosen !== this.drawnOf) this.drawFacts(state);
    this.drawnOf = chosen;
    this.read(state);
  }

  /** @param {PairState} state */
  drawFacts(state) {
    const { both, words } = this;
    this.root.dataset.kind = state.kind;
    this.kinds.render(state.kind);
    this.units?.render(state.words ? "words" : "pieces");
    this.sides.forEach((side) => side.renderFacts(state));
    const alike = both.alike(state.kind);
    this.linkedLabel.hidden = !alike;
    this.linked.checked = state.other === null;
    this.drawScales(state);
    this.exporting?.render(state);
    this.shut.hidden = !this.seen.allowed(state.kind, ...headOf(state)).includes(0);
    const { status } = this.difference.shown();
    const error = Math.max(...both.models.map((model) => model.site(state.kind).error));
    const coarse = both.models.some((model) => model.coarse(state.kind));
    const { sums } = this.traces[0].current();
    text(this.status, exactness(words, status, error, { coarse, alone: this.alone, sums }));
  }

  /** @param {PairState} state */
  drawScales(state) {
    const { words } = this;
    const bar = (/** @type {Uint32Array} */ table) => {
      const ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
      paintBar(ramp, table);
      return ramp;
    };
    const { status, values } = this.difference.shown();
    const most = this.difference.shade(state, values).high;
    const top = state.stretch ? near(status, weight(this.largest())) : "1";
    const end = state.stretch ? weight(most) : "1";
    this.scales.replaceChildren(
      h("span", {}, "0"),
      bar(this.theme.scales[state.kind]),
      h("span", { "data-testid": "hl-scale-high" }, top),
      h("span", { class: "hl-scale-gap" }, words.difference),
      h("span", {}, `−${end}`),
      bar(this.theme.diverging),
      h("span", {}, `+${end}`),
    );
    attribute(this.scales, "aria-pressed", state.stretch);
  }

  /**
   * The cell that is pointed at, or the pinned one, in all three at once.
   * @param {PairState} state
   * @returns {Facts | null}
   */
  numbersAt(state) {
    const places = state.hover && Math.min(...state.hover) >= 0 ? state.hover : state.pinned;
    if (!places) return null;
    const { kind } = state;
    const numbers = this.traces.map((trace, side) => {
      const [row, column] = this.seen.cellAt(kind, side, places);
      if (row < 0 || column < 0) return null;
      const { columns } = trace.seen.site(kind);
      const at = row * columns + column;
      const { weights, status } = trace.current();
      return {
        value: weights[at],
        status,
        open: trace.seen.drawn(kind, trace.headOf(state), weights, status)[at] === 1,
      };
    });
    const [query, key] = [this.seen.queries(kind)[places[0]], this.seen.keys(kind)[places[1]]];
    return { places, query, key, numbers };
  }

  /** @param {PairState} state */
  read(state) {
    const { words } = this;
    const facts = this.numbersAt(state);
    this.table.render(state, facts);
    if (!facts) {
      text(this.reading, words.point_pair);
      text(this.live, "");
      return;
    }
    const said = (/** @type {Cell} */ { value, status, open }) =>
      open ? near(status, weight(value)) : words.cell_forbidden;
    const [first, second] = facts.numbers.map((number) => (number ? said(number) : words.no_such_cell));
    const [a, b] = facts.numbers;
    const known = a && b && (a.open || b.open); // what may not be looked at has weight 0
    const change = known
      ? near(a.status === "exact" && b.status === "exact" ? "exact" : "loading", signed(b.value - a.value))
      : "–";
    const { query, key } = facts;
    const template = isDecoder(state.kind) ? words.pair_writing : words.pair_reading;
    const strong = (/** @type {Token} */ token) => h("strong", {}, tokenNode(token));
    this.reading.replaceChildren(fragment(template, { query: strong(query), key: strong(key), first, second, change }));
    const spoken = format(template, { query: visible(query.text), key: visible(key.text), first, second, change });
    text(this.live, state.hover && !state.pointed ? spoken : "");
  }

  stop() {
    super.stop();
    this.sides.forEach((side) => side.stop());
  }

  facts() {
    const state = this.store.get();
    const { values, status } = this.difference.shown();
    return {
      selection: this.selection(state),
      traceIds: this.traceIds,
      status,
      hover: state.hover,
      stretch: state.stretch,
      words: this.seen !== this.both,
      sides: this.sides.map((side) => side.drawn()),
      grid: this.traces[0].grid.drawn(),
      alike: this.both.alike(state.kind),
      ranking: this.seen.ranking(state.kind),
      values: Array.from(values.subarray(0, 4096)),
      weights: this.traces.map((trace) => Array.from(trace.current().weights.subarray(0, 4096))),
    };
  }
}
