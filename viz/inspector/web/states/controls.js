// @ts-check
// What one chooses of states: the stack, its layer, a state or gate, which units, and the step, by a
// row of the tokens that are read.
import { ChipRow } from "../views/chips.js";
import { attribute, h } from "../views/dom.js";
import { chosenAlong } from "../views/drag.js";
import { createSwitch } from "../views/kinds.js";
import { format, visible } from "../data/text.js";
import { FEW, UNITS } from "./chosen.js";
import { drawable, formulasOf } from "./formulas.js";

/** @import { Choosing, Settled, Stack, Units } from "./types" */

/** @param {Choosing} app */
export function createControls(app) {
  const { model, store, words } = app;
  const stacks = createSwitch(
    words.states_stack,
    model.stacks.map((value) => ({ value, label: words[`states_${value}`] })),
    "hl-states-stacks",
    (stack) => app.adopt({ stack, position: null, unit: null }),
  );
  const [layers, names, steps] = [h("div"), h("div", { class: "hl-states-names" }), h("div", { class: "hl-rows" })];
  const select = h("select", { class: "hl-select", "data-testid": "hl-states-units" });
  select.onchange = () => store.set({ units: /** @type {Units} */ (select.value) });
  const units = h("label", { class: "hl-note" }, `${words.states_units} `, select);
  let own = build(store.get().stack);

  /**
   * What there is to choose of a stack, and the row of its tokens: one slider.
   * @param {Stack} stack
   */
  function build(stack) {
    const recording = model.of(stack);
    const symbols = new Map(formulasOf(recording.names).map(({ name, symbol }) => [name, symbol]));
    const layer = createSwitch(
      words.states_layer,
      Array.from({ length: recording.layers }, (_, at) => ({
        value: String(at),
        label: format(words.layer, { layer: at + 1 }),
      })),
      "hl-states-layers",
      (at) => app.adopt({ stack_layer: Number(at) + 1, unit: null }),
    );
    const drawn = drawable(recording.names);
    const name = createSwitch(
      words.states_name,
      drawn.map((value) => ({ value, label: [app.named(value), symbols.get(value)].filter(Boolean).join(" ") })),
      "hl-states-names",
      (value) => store.set({ name: value }),
    );
    const tokens = model.keys(stack);
    const row = new ChipRow(tokens, undefined, {
      class: "hl-chips",
      role: "slider",
      tabindex: "0",
      "aria-label": words[`states_steps_${stack}`],
      "aria-valuemin": "1",
      "aria-valuemax": String(tokens.length),
      "data-testid": "hl-states-steps",
    });
    chosenAlong(row.element, (event) => store.set({ position: row.nearest(event, app.sizes.of(row.element)[0]) }));
    const offered = recording.units > FEW ? UNITS : UNITS.slice(1);
    const told = { units: recording.units, few: FEW };
    layers.replaceChildren(...(recording.layers > 1 ? [layer.element] : []));
    names.replaceChildren(...(drawn.length > 1 ? [name.element] : []));
    steps.replaceChildren(row.element);
    select.replaceChildren(
      ...offered.map((value) => h("option", { value }, format(words[`states_units_${value}`], told))),
    );
    return { stack, layer, name, row, tokens, few: offered === UNITS };
  }

  return {
    stacks: model.stacks.length > 1 ? stacks.element : null,
    layers,
    names,
    units,
    steps,
    /** @param {Settled} state */
    render(state) {
      if (own.stack !== state.stack) own = build(state.stack);
      const { few, layer, name, row, tokens } = own;
      stacks.render(state.stack);
      layer.render(String(state.layer));
      name.render(state.name);
      select.value = !few && state.units === "most" ? "varying" : state.units;
      row.show(state.position, app.sizes.of(row.element)[0]);
      attribute(row.element, "aria-valuenow", state.position + 1);
      attribute(row.element, "aria-valuetext", visible(tokens[state.position].text));
    },
  };
}
