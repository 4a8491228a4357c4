// @ts-check
// States of two traces beside each other and, where both have the same units, their difference.
import { h, text } from "../views/dom.js";
import { format, signed, visible } from "../data/text.js";
import { reach } from "../views/paint.js";
import { FEW, varying } from "./chosen.js";
import { createControls } from "./controls.js";
import { number } from "./formulas.js";
import { createPairExport } from "./export.js";
import { DIFFERENCE, Pane } from "./pane.js";
import { StatesView } from "./view.js";

/** @import { Store, Theme } from "../types" */
/** @import { BothRecorded } from "./both.js" */
/** @import { PairState, StatesPairMeta } from "./types" */

/** @extends {StatesView<PairState, BothRecorded>} */
export class StatesPair extends StatesView {
  /**
   * @param {HTMLElement} root
   * @param {BothRecorded} model
   * @param {Store<PairState>} store
   * @param {StatesPairMeta} meta
   */
  constructor(root, model, store, meta) {
    super(root, model, store, meta);
    const { states_differ_most: most, states_differ_all: all } = this.words;
    if (model.alike) this.words = { ...this.words, states_units_most: most, states_units_varying: all };
    const { words } = this;
    this.controls = createControls(this);
    const both = model.models.every(({ stacks }) => stacks.length > 0);
    const titles = [words.first, words.second].map((side, at) => `${side} · ${visible(meta.traces[at].model_id)}`);
    /** Sides that have states. */
    this.panes = titles.flatMap((title, side) =>
      model.models[side].stacks.length ? [new Pane(this, side, title)] : [],
    );
    if (both && model.alike) this.panes.push(new Pane(this, DIFFERENCE, words.difference));
    this.reading = h("p", { class: "hl-sentence hl-reading", "data-testid": "hl-states-reading" });
    this.exporting = createPairExport(this, meta);
    const other = both ? null : model.models[0].stacks.length ? words.states_none_second : words.states_none_first;
    const note = !both ? words.states_heat_note : model.alike ? words.states_pair_note : words.states_unlike_note;
    const recordings = meta.traces.flatMap(({ states }) => states);
    this.assemble(
      recordings,
      [this.controls.stacks, this.controls.layers, this.exporting?.element],
      other && h("p", { class: "hl-note" }, other),
      h("div", { class: "hl-states-under" }, this.controls.names, this.controls.units),
      this.controls.steps,
      this.reading,
      h("div", { class: "hl-sides", "data-panes": this.panes.length }, ...this.panes.map(({ element }) => element)),
      h("p", { class: "hl-note" }, note),
    );
  }

  /** The side whose units are numbered by what is chosen, where the other's are others. */
  leading() {
    const { stack } = this.store.get();
    return this.model.models[0].stacks.includes(stack) ? 0 : 1;
  }

  /** Units of a side as they are drawn: by how much they differ, where unit 7 of both is unit 7. */
  order(side = this.leading()) {
    const { stack, layer, name, units: way } = this.store.get();
    const { alike } = this.model;
    if (!alike && !this.model.models[side].stacks.includes(stack)) return [];
    const values = alike
      ? (this.model.minus(stack, layer, name) ?? this.model.models[this.leading()].at(stack, layer)?.get(name))
      : this.model.models[side].at(stack, layer)?.get(name);
    const { units } = alike ? this.model.of(stack) : this.model.models[side].of(stack);
    if (!values || way === "model") return Array.from({ length: units }, (_, unit) => unit);
    const key = `${alike ? "" : side}/${stack}/${layer}/${name}`;
    const order = this.orders.get(key) ?? varying(values, units, alike && this.panes.length > 1);
    this.orders.set(key, order);
    return way === "most" ? order.slice(0, FEW) : order;
  }

  /**
   * How far colours go: as far in both traces, and further in their difference where that does.
   * @param {boolean} ofDifference
   */
  reach(ofDifference) {
    const { stack, layer, name } = this.store.get();
    const parts = this.model.models.map((model) => model.at(stack, layer)?.get(name));
    if (ofDifference) parts.push(this.model.minus(stack, layer, name));
    return Math.max(1, ...parts.map((values) => reach(values ?? [])));
  }

  /** @param {PairState} state */
  render(state) {
    this.controls.render(state);
    this.panes.forEach((pane) => pane.render());
    this.exporting?.render(state);
    this.read();
  }

  /** The cell that is pointed at, or chosen, in words. */
  read() {
    const { hover, name, position, stack } = this.store.get();
    const { alike } = this.model;
    const side = hover?.side ?? this.leading();
    const [unit, at] = hover?.at ?? [this.unit(), position];
    const token = visible(this.model.keys(stack)[at].text);
    const shown = (/** @type {number | null | undefined} */ value) => (value == null ? "–" : number(value));
    const of = (/** @type {number} */ which) => this.panes.find((pane) => pane.side === which)?.at(unit, at);
    const told = { unit: unit + 1, state: this.named(name), token };
    const [first, second] = [of(0), of(1)];
    const change = first == null || second == null ? "–" : signed(second - first);
    const said =
      alike && this.panes.length > 1
        ? format(this.words.states_pair_reading, { ...told, first: shown(first), second: shown(second), change })
        : format(this.words.states_one_reading, {
            ...told,
            side: [this.words.first, this.words.second][side] ?? "",
            value: shown(of(side)),
          });
    text(this.reading, said);
    if (!hover) text(this.live, said);
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    const another = super.setTheme(theme);
    if (another) this.panes.forEach((pane) => pane.paint(theme));
    return another;
  }

  facts() {
    if (this.frame) this.flush(); // what is told is what is drawn
    return {
      selection: this.selection(),
      alike: this.model.alike,
      panes: this.panes.map((pane) => ({
        side: pane.side,
        order: pane.order(),
        values: Array.from(pane.values() ?? []),
        box: pane.values() ? pane.heat.box([pane.order()[0], 0]) : null,
      })),
      reading: this.reading.textContent,
    };
  }
}
