// @ts-check
// States and gates over time: the row of tokens that steps, a heatmap of units, and the arithmetic
// of the step in view.
import { cssOf } from "../views/colour.js";
import { attribute, h, text, tokenNode } from "../views/dom.js";
import { ChipRow } from "../views/chips.js";
import { createDistribution } from "../views/distribution.js";
import { chosenAlong } from "../views/drag.js";
import { createSwitch } from "../views/kinds.js";
import { createMenu, FIGURES, NUMBERS } from "../views/menu.js";
import { candidates } from "../data/tokens.js";
import { reach } from "../views/paint.js";
import { format, fragment, visible } from "../data/text.js";
import { placed } from "../views/tip.js";
import { Drawn } from "../drawn.js";
import { PLAIN } from "../data/sampling.js";
import { createArithmetic } from "./arithmetic.js";
import { FEW, settleStates, statesSelection, UNITS, varying } from "./chosen.js";
import { drawable, formulasOf, number } from "./formulas.js";
import { createHeat } from "./heat.js";

/** @import { Store, Wanted } from "../types" */
/** @import { Recorded } from "./recorded.js" */
/** @import { Settled, Stack, StatesState, Units } from "./types" */

const NEXT = 4; // candidates of the next token

/** @extends {Drawn<StatesState>} */
export class States extends Drawn {
  /**
   * @param {HTMLElement} root
   * @param {Recorded} model
   * @param {Store<StatesState>} store
   */
  constructor(root, model, store) {
    super(root, store, model.meta);
    this.model = model;
    this.chosen = true;
    /** @type {((name: string, value: unknown) => void) | undefined} */
    this.trigger = undefined; // the host's
    this.orders = new Map();
    const { words } = this;
    this.stacks = createSwitch(
      words.states_stack,
      model.stacks.map((value) => ({ value, label: words[`states_${value}`] })),
      "hl-states-stacks",
      (stack) => this.go({ stack }),
    );
    this.heat = createHeat(this);
    this.arithmetic = createArithmetic(this);
    this.layers = h("div");
    this.names = h("div", { class: "hl-states-names" });
    this.built = "";
    this.row = this.chips();
    this.units = this.select();
    this.low = h("span");
    this.high = h("span");
    this.ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
    this.tip = h("div", { class: "hl-tip", "aria-hidden": "true", hidden: true, "data-testid": "hl-states-tip" });
    this.problem = h("p", { class: "hl-note hl-problem", role: "status" });
    this.next =
      model.meta.next &&
      createDistribution(
        { words, language: this.language, model: { steps: model.keys("decoder").length } },
        { rows: NEXT, at: (step) => candidates(model.meta.next, step, words), logits: null },
      );
    this.exporting = createMenu(
      this,
      [
        { name: "states", label: words.states_export, forms: [...FIGURES, ...NUMBERS] },
        { name: "whole", label: words.states_whole, forms: ["npz"] },
      ],
      (/** @type {StatesState} */ _, /** @type {string} */ _name, /** @type {string} */ form) => this.file(form),
    );
    this.assemble();
  }

  /**
   * Where a file of what is drawn is made.
   * @param {string} form
   */
  file(form) {
    const { stack, stack_layer, state, units } = this.selection();
    const asked = Object.entries({ stack, stack_layer, state, units }).filter(([, value]) => value !== null);
    const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
    query.set("lang", this.language);
    return new URL(`export/${this.model.meta.trace_id}/states.${form}?${query}`, document.baseURI).href;
  }

  assemble() {
    const { arithmetic, exporting, heat, high, layers, live, low, names, next, problem, stacks, tip, units, words } =
      this;
    const scale = h("div", { class: "hl-scale" }, low, this.ramp, high);
    this.steps = h("div", { class: "hl-rows" }, this.row.element);
    const title = h("h2", { class: "hl-title" }, words.states_title);
    const bar = h(
      "div",
      { class: "hl-states-bar" },
      title,
      this.model.stacks.length > 1 ? stacks.element : null,
      layers,
      exporting.element,
    );
    const left = h(
      "div",
      { class: "hl-states-left" },
      names,
      h("div", { class: "hl-states-under" }, units, scale),
      h("div", { class: "hl-states-picture" }, heat.element, tip),
      h("p", { class: "hl-note" }, words.states_heat_note),
    );
    const right = h("div", { class: "hl-states-right" }, arithmetic.element, next?.element);
    this.root.replaceChildren(
      h(
        "div",
        { class: "hl-frame", role: "group", "aria-label": words.states_title },
        live,
        bar,
        problem,
        this.steps,
        h("div", { class: "hl-states-columns" }, left, right),
      ),
    );
    this.root.onkeydown = (event) => this.key(event);
  }

  select() {
    const { words } = this;
    const element = h("select", { class: "hl-select", "data-testid": "hl-states-units" });
    element.onchange = () => this.store.set({ units: /** @type {Units} */ (element.value) });
    return h("label", { class: "hl-note" }, `${words.states_units} `, element);
  }

  /** The row of tokens of a stack: one slider. */
  chips() {
    const { stack } = this.store.get();
    const tokens = this.model.keys(stack);
    const row = new ChipRow(tokens, undefined, {
      class: "hl-chips",
      role: "slider",
      tabindex: "0",
      "aria-label": this.words[`states_steps_${stack}`],
      "aria-valuemin": "1",
      "aria-valuemax": String(tokens.length),
      "data-testid": "hl-states-steps",
    });
    chosenAlong(row.element, (event) =>
      this.store.set({ position: row.nearest(event, this.sizes.of(row.element)[0]) }),
    );
    return row;
  }

  /** What there is to choose of the stack in view, made anew where that is another one. */
  build() {
    const { stack } = this.store.get();
    if (this.built === stack) return;
    this.built = stack;
    const { words } = this;
    const { layers, names } = this.model.of(stack);
    const own = drawable(names);
    const symbols = new Map(formulasOf(names).map(({ name, symbol }) => [name, symbol]));
    this.ofLayer = createSwitch(
      words.states_layer,
      Array.from({ length: layers }, (_, at) => ({ value: String(at), label: format(words.layer, { layer: at + 1 }) })),
      "hl-states-layers",
      (at) => this.go({ layer: Number(at) }),
    );
    this.ofName = createSwitch(
      words.states_name,
      own.map((value) => ({
        value,
        label: [words[`state_${value}`] ?? visible(value), symbols.get(value)].filter(Boolean).join(" "),
      })),
      "hl-states-names",
      (name) => this.store.set({ name }),
    );
    this.layers.replaceChildren(...(layers > 1 ? [this.ofLayer.element] : []));
    this.names.replaceChildren(...(own.length > 1 ? [this.ofName.element] : []));
    this.offer();
    if (this.row.element.getAttribute("aria-label") !== words[`states_steps_${stack}`]) {
      this.row = this.chips();
      this.steps?.replaceChildren(this.row.element);
    }
  }

  offer() {
    const { units } = this.model.of(this.store.get().stack);
    const select = this.units.querySelector("select");
    const few = units > FEW ? UNITS : UNITS.slice(1);
    select?.replaceChildren(
      ...few.map((value) => h("option", { value }, format(this.words[`states_units_${value}`], { units, few: FEW }))),
    );
  }

  /**
   * Another layer: its numbers are fetched first.
   * @param {Partial<Pick<Settled, "stack" | "layer">>} patch
   */
  async go(patch) {
    const { stack, layer, position, unit } = { ...this.store.get(), ...patch };
    const own = { ...this.selection(), stack, stack_layer: layer + 1, position: position + 1, unit: (unit ?? -1) + 1 };
    const kept = patch.stack ? { ...own, position: null, unit: null } : { ...own, unit: null };
    const settled = settleStates(kept, this.model);
    try {
      await this.model.load(settled.stack, settled.layer);
    } catch (error) {
      console.warn(error);
      text(this.problem, this.words.states_missing);
      return;
    }
    text(this.problem, "");
    this.store.set({ ...settled, hover: null });
  }

  selection(state = this.store.get()) {
    return statesSelection(state);
  }

  /** @param {Wanted} wanted */
  adopt(wanted) {
    const settled = settleStates({ ...this.selection(), ...wanted }, this.model);
    this.model.load(settled.stack, settled.layer).then(
      () => this.store.set(settled),
      () => text(this.problem, this.words.states_missing),
    );
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

  /** Units as they are drawn, from above.  */
  order() {
    const { stack, layer, name, units: way } = this.store.get();
    const { units } = this.model.of(stack);
    const values = this.values();
    if (!values || way === "model") return Array.from({ length: units }, (_, unit) => unit);
    const key = `${stack}/${layer}/${name}`;
    /** @type {number[]} */
    const order = this.orders.get(key) ?? varying(values, units);
    this.orders.set(key, order);
    return way === "most" ? order.slice(0, FEW) : order;
  }

  /** The chosen unit, or the one that stands first. */
  unit() {
    return this.store.get().unit ?? this.order()[0];
  }

  /** How far the colours go to either side of 0: gates and states to 1, a cell as far as it goes. */
  reach() {
    return Math.max(1, reach(this.values() ?? []));
  }

  draw() {
    if (!this.theme) return;
    const began = performance.now();
    this.build();
    const state = this.store.get();
    this.stacks.render(state.stack);
    this.ofLayer?.render(String(state.layer));
    this.ofName?.render(state.name);
    const select = this.units.querySelector("select");
    const { units } = this.model.of(state.stack);
    if (select) select.value = units <= FEW && state.units === "most" ? "varying" : state.units;
    const far = this.reach().toFixed(this.reach() === 1 ? 0 : 1);
    text(this.low, `−${far}`);
    text(this.high, far);
    this.row.show(state.position, this.sizes.of(this.row.element)[0]);
    attribute(this.row.element, "aria-valuenow", state.position + 1);
    attribute(this.row.element, "aria-valuetext", visible(this.model.keys(state.stack)[state.position].text));
    this.heat.render();
    this.arithmetic.render();
    this.exporting.render(state);
    this.point(state);
    if (this.next) {
      this.next.element.hidden = state.stack !== "decoder";
      this.next.render({ step: state.position, shape: PLAIN });
    }
    this.drew(began);
  }

  /** @param {import("../types").Theme} theme */
  setTheme(theme) {
    const another = super.setTheme(theme);
    const stops = theme.diverging.filter((_, at) => at % 15 === 0);
    if (another) this.ramp.style.background = `linear-gradient(to right, ${Array.from(stops, cssOf).join(", ")})`;
    return another;
  }

  /** @param {StatesState} state */
  point({ hover, name, pointed, stack }) {
    const values = this.values();
    const at = hover ?? (pointed ? null : /** @type {[number, number]} */ ([this.unit(), this.store.get().position]));
    this.tip.hidden = hover === null || !pointed;
    if (!at || !values) return;
    const { units } = this.model.of(stack);
    const token = this.model.keys(stack)[at[1]];
    const said = { unit: String(at[0] + 1), state: this.words[`state_${name}`] ?? name };
    const value = number(values[at[1] * units + at[0]]);
    if (!pointed) {
      text(this.live, `${visible(token.text)}, ${format(this.words.states_cell, { ...said, value })}`);
      return;
    }
    this.tip.replaceChildren(
      h("div", {}, tokenNode(token)),
      h("div", {}, fragment(this.words.states_cell, { ...said, value })),
    );
    placed(this.tip, this.heat.box(at));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("select, input")) return;
    const { position, stack } = this.store.get();
    const last = this.model.keys(stack).length - 1;
    const order = this.order();
    const row = order.indexOf(this.unit());
    const onHeat = target === this.heat.element;
    /** @type {Record<string, Partial<StatesState> | undefined>} */
    const patches = {
      ArrowLeft: { position: Math.max(0, position - 1) },
      ArrowRight: { position: Math.min(last, position + 1) },
      Home: { position: 0 },
      End: { position: last },
      ArrowUp: onHeat ? { unit: order[Math.max(0, row - 1)] } : undefined,
      ArrowDown: onHeat ? { unit: order[Math.min(order.length - 1, row + 1)] } : undefined,
    };
    const patch = patches[event.key];
    if (!patch) return;
    this.store.set({ ...patch, hover: null, pointed: false });
    event.preventDefault();
    event.stopPropagation();
  }

  state() {
    const state = this.store.get();
    if (!this.theme) return { ready: false };
    if (this.frame) this.flush(); // what is told is what is drawn
    return {
      ready: true,
      selection: this.selection(),
      order: this.order(),
      chosen: this.unit(),
      values: Array.from(this.values() ?? []),
      said: this.arithmetic.drawn(),
      reach: this.reach(),
      times: this.times,
      box: this.heat.box([this.unit(), state.position]),
    };
  }
}
