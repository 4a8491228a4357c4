// @ts-check
// In which order the grid has its heads, and how many of them: as the model has them, or by
// what was measured of each on this input (core/studies/heads.py), most first.
import { createSlider, h, text } from "./dom.js";
import { format, measured, wholePercent } from "../data/text.js";

/** @import { Chosen, Inspecting, Kind } from "../types" */

/**
 * Heads [layer, head] by a measured trait, most first, at most `top` of them; null where the
 * order is the model's own, or the trait is none of this kind's.
 * @param {import("../data/seen.js").Seen} model
 * @param {Pick<Chosen, "kind" | "order" | "top">} state
 */
export function ranking(model, { kind, order, top }) {
  if (!model.traitsOf(kind).includes(order)) return null;
  const { layers, heads } = model.site(kind);
  const value = (/** @type {number[]} */ [layer, head]) => model.trait(kind, order, layer, head);
  const all = Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]);
  return all.sort((a, b) => value(b) - value(a)).slice(0, top ?? all.length); // ties stay in place
}

/** @param {Inspecting} app */
export function createOrder(app) {
  const { model, words, store } = app;
  const select = h("select", { class: "hl-select", "data-testid": "hl-order" });
  const slider = createSlider("hl-order-most", words.order_most, { min: 1, step: 1 }, (shown) =>
    store.set({ top: shown === Number(slider.element.max) ? null : shown }),
  );
  const count = h("span", { class: "hl-number", "data-testid": "hl-order-count" });
  const most = h("label", { class: "hl-order-most" }, slider.element, count);
  const element = h("div", { class: "hl-order hl-note" }, h("label", {}, `${words.order} `, select), most);
  /** @type {Kind | null} */
  let offered = null; // the kind whose traits are offered

  const named = (/** @type {Kind} */ kind, /** @type {string} */ trait) =>
    words[`trait_${trait === "diagonal" && kind === "decoder_self" ? "diagonal_read" : trait}`];

  /**
   * A measured value with its unit; between two sequences a distance is a share of them.
   * @param {Kind} kind
   * @param {string} trait
   * @param {number} value
   */
  function said(kind, trait, value) {
    if (trait === "entropy") return format(words.unit_bits, { value: value.toFixed(2) });
    if (trait === "distance" && kind !== "cross") return format(words.unit_tokens, { value: value.toFixed(1) });
    return wholePercent(value);
  }

  /** @param {Kind} kind */
  function offer(kind) {
    const option = (/** @type {string} */ value, /** @type {string} */ name) => h("option", { value }, name);
    select.replaceChildren(
      option("layer", words.order_layer),
      ...model.traitsOf(kind).map((trait) => option(trait, named(kind, trait))),
    );
    const { layers, heads } = model.site(kind);
    slider.element.max = String(layers * heads);
    offered = kind;
  }

  select.onchange = () => store.set({ order: select.value, top: null });

  return {
    element,
    /** @param {Chosen} state */
    render(state) {
      const { kind, order, top } = state;
      if (offered !== kind) offer(kind);
      const known = model.traitsOf(kind).includes(order);
      if (select.value !== (known ? order : "layer")) select.value = known ? order : "layer";
      most.style.visibility = known ? "" : "hidden";
      const { max } = slider.element;
      const shown = Math.min(top ?? Infinity, Number(max));
      text(count, format(words.order_most_value, { shown, heads: max }));
      slider.render(shown, count.textContent);
    },
    /**
     * What the order says of the heads that are shown; "" for the model's own.
     * @param {Chosen} state
     */
    describe(state) {
      const ranked = ranking(model, state);
      if (ranked === null) return "";
      const { kind, order, layer, head } = state;
      const value = (/** @type {number[]} */ [l, n]) => said(kind, order, model.trait(kind, order, l, n));
      const there = ranked.some(([l, n]) => l === layer && n === head);
      const note = format(words.order_note, {
        trait: named(kind, order),
        most: value(ranked[0]),
        least: value(ranked[ranked.length - 1]),
      });
      return [measured(note, words, app.seen !== model), there ? "" : words.order_chosen].join(" ").trim();
    },
  };
}
