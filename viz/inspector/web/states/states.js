// @ts-check
// States and gates over time: the row of tokens that steps, a heatmap of units, and the arithmetic
// of the step in view.
import { createScale, h, text, tokenNode } from "../views/dom.js";
import { createDistribution } from "../views/distribution.js";
import { paintBar } from "../views/colour.js";
import { candidates } from "../data/tokens.js";
import { reach } from "../views/paint.js";
import { format, fragment, visible } from "../data/text.js";
import { placed } from "../views/tip.js";
import { PLAIN } from "../data/sampling.js";
import { createArithmetic } from "./arithmetic.js";
import { FEW, varying } from "./chosen.js";
import { createControls } from "./controls.js";
import { number } from "./formulas.js";
import { createExport } from "./export.js";
import { createHeat } from "./heat.js";
import { StatesView, areStill } from "./view.js";
import { stepTogether } from "../together.js";

/** @import { Store } from "../types" */
/** @import { Recorded } from "./recorded.js" */
/** @import { StatesState } from "./types" */

const NEXT = 4; // candidates of the next token

/** @extends {StatesView<StatesState, Recorded>} */
export class States extends StatesView {
  /**
   * @param {HTMLElement} root
   * @param {Recorded} model
   * @param {Store<StatesState>} store
   */
  constructor(root, model, store) {
    super(root, model, store, model.meta);
    const { words } = this;
    this.controls = createControls(this);
    this.heat = createHeat(this);
    this.arithmetic = createArithmetic(this);
    this.scale = createScale();
    this.tip = h("div", { class: "hl-tip", "aria-hidden": "true", hidden: true, "data-testid": "hl-states-tip" });
    this.next =
      model.meta.next &&
      createDistribution(
        { words, language: this.language, model: { steps: model.keys(model.meta.next_stack).length } },
        {
          rows: NEXT,
          at: (step) => candidates(model.meta.next, step, words),
          logits: null,
          title:
            model.meta.next_stack === "encoder" ? (words[`told_${model.meta.foretells}`] ?? words.states_told) : null,
        },
      );
    this.exporting = createExport(this);
    this.apart = stepTogether(
      store,
      model.meta.trace_id,
      ({ stack, position }) => (stack === "decoder" ? position : null),
      (position) => ({ position, hover: null, pointed: false }),
    );
    // Where there is no arithmetic, which says the numbers of the chosen unit.
    this.reading = h("p", { class: "hl-sentence", "aria-hidden": "true", "data-testid": "hl-states-reading" });
    const { arithmetic, controls, exporting, heat, next, reading, scale, tip } = this;
    const note = areStill(model.meta.states) ? words.states_still_note : words.states_heat_note;
    const left = h(
      "div",
      { class: "hl-states-left" },
      controls.names,
      h("div", { class: "hl-states-under" }, controls.units, scale.element),
      h("div", { class: "hl-states-picture" }, heat.element, tip),
      reading,
      h("p", { class: "hl-note" }, note, heat.tells ? ` ${words.states_told_note}` : ""),
    );
    const right = h("div", { class: "hl-states-right" }, arithmetic.element, next?.element);
    this.assemble(
      model.meta.states,
      [controls.stacks, controls.layers, exporting?.element],
      controls.steps,
      h("div", { class: "hl-states-columns" }, left, right),
    );
  }

  /**
   * Is it shown what may come next?
   * @param {StatesState} state
   */
  tells({ stack }) {
    return this.next !== null && stack === this.model.meta.next_stack;
  }

  /** (position, unit) of what is drawn; undefined where it is not here. */
  values() {
    const { stack, layer, name } = this.store.get();
    return this.model.at(stack, layer)?.get(name);
  }

  /**
   * A part of the step in view, one number a unit.
   * @param {string} part
   */
  vector(part) {
    const { stack, layer, position } = this.store.get();
    const { units } = this.model.of(stack);
    const values = this.model.at(stack, layer)?.get(part) ?? new Float32Array(units * (position + 1));
    return values.subarray(position * units, (position + 1) * units);
  }

  /** Units as they are drawn, from above. */
  order() {
    const { stack, layer, name, units: way } = this.store.get();
    const { units } = this.model.of(stack);
    const values = this.values();
    if (!values || way === "model") return Array.from({ length: units }, (_, unit) => unit);
    const key = `${stack}/${layer}/${name}`;
    const order = this.orders.get(key) ?? varying(values, units);
    this.orders.set(key, order);
    return way === "most" ? order.slice(0, FEW) : order;
  }

  /** How far the colours go to either side of 0: gates and states to 1, a cell as far as it goes. */
  reach() {
    return Math.max(1, reach(this.values() ?? []));
  }

  /** @param {StatesState} state */
  render(state) {
    this.controls.render(state);
    const far = this.reach().toFixed(this.reach() === 1 ? 0 : 1);
    text(this.scale.low, `−${far}`);
    text(this.scale.high, far);
    this.heat.render();
    this.arithmetic.render();
    this.reading.hidden = !this.arithmetic.element.hidden;
    this.exporting?.render(state);
    this.point(state);
    if (this.next) {
      this.next.element.hidden = !this.tells(state);
      this.next.render({ step: state.position, shape: PLAIN });
    }
  }

  /** @param {import("../types").Theme} theme */
  setTheme(theme) {
    const another = super.setTheme(theme);
    if (another) paintBar(this.scale.bar, theme.diverging);
    return another;
  }

  /** @param {StatesState} state */
  point({ hover, name, pointed, stack }) {
    const values = this.values();
    this.tip.hidden = hover === null || !pointed;
    if (!values) return;
    const { units } = this.model.of(stack);
    const token = (/** @type {number[]} */ [, at]) => this.model.keys(stack)[at];
    const parts = (/** @type {number[]} */ [unit, at]) => ({
      unit: String(unit + 1),
      state: this.named(name),
      value: number(values[at * units + unit]),
    });
    const said = (/** @type {number[]} */ at) =>
      `${visible(token(at).text)}, ${format(this.words.states_cell, parts(at))}`;
    const chosen = [this.unit(), this.store.get().position];
    text(this.reading, said(chosen));
    if (!pointed) text(this.live, said(hover ?? chosen));
    if (!pointed || !hover) return;
    this.tip.replaceChildren(
      h("div", {}, tokenNode(token(hover))),
      h("div", {}, fragment(this.words.states_cell, parts(hover))),
    );
    placed(this.tip, this.heat.box(hover));
  }

  stop() {
    this.apart();
    super.stop();
  }

  facts() {
    if (this.frame) this.flush(); // what is told is what is drawn
    return {
      selection: this.selection(),
      order: this.order(),
      chosen: this.unit(),
      values: Array.from(this.values() ?? []),
      said: this.arithmetic.drawn(),
      next: this.next?.drawn() ?? null,
      reach: this.reach(),
      box: this.heat.box([this.unit(), this.store.get().position]),
    };
  }
}
