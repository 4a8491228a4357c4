// @ts-check
// What the colours of the large head mean: weights, or what one milestone has less another.
import { paintBar } from "../views/colour.js";
import { attribute, h, text } from "../views/dom.js";
import { createSwitch } from "../views/kinds.js";
import { createScaleButton, createSwatch, exactness } from "../views/legendparts.js";
import { headOf } from "../data/seen.js";
import { near, score, signed, weight } from "../data/text.js";
import { VIEWS } from "./reel.js";

/** @import { Says } from "../views/tip.js" */
/** @import { FilmState } from "./types" */
/** @import { Film } from "./film.js" */

/**
 * What a cell says when it is pointed at (../tip.js).
 * @type {Says}
 */
export const says = {
  valueOf(asking, at) {
    const app = /** @type {Film} */ (/** @type {unknown} */ (asking));
    const { words } = app;
    const state = app.store.get();
    const { values, status } = app.shown(state);
    if (state.view === "maps") return [words.cell_weight, { weight: near(status, weight(values[at])) }];
    const of = (/** @type {number} */ index) => near(status, weight(app.headAt(index).weights[at]));
    return [
      words.cell_change,
      {
        change: near(status, signed(values[at])),
        now: of(state.milestone),
        then: of(state.compare),
        after: app.after(state.compare),
      },
    ];
  },
};

/**
 * Map or difference.
 * @param {Film} app
 */
export function createViews(app) {
  const { words, store } = app;
  return createSwitch(
    words.cells,
    VIEWS.map((value) => ({ value, label: words[`view_${value}`] })),
    "hl-views",
    (view) => store.set({ view }),
  );
}

/**
 * What is taken from what; the second is chosen here.
 * @param {Film} app
 */
function createComparison(app) {
  const { words, store, reel } = app;
  const now = h("span", { "data-testid": "hl-minuend" });
  const select = h(
    "select",
    { class: "hl-select", "aria-label": words.compared_with, "data-testid": "hl-compare" },
    ...reel.steps.map((_, index) => h("option", { value: index }, app.after(index))),
  );
  select.onchange = () => store.set({ compare: Number(select.value) });
  select.onkeydown = (event) => event.stopPropagation();
  const element = h("span", { class: "hl-key hl-compared" }, now, h("span", { "aria-hidden": "true" }, "−"), select);
  return {
    element,
    /** @param {FilmState} state */
    render(state) {
      element.hidden = state.view !== "difference";
      text(now, app.after(state.milestone));
      if (select.value !== String(state.compare)) select.value = String(state.compare);
    },
  };
}

/** @param {Film} app */
export function createScale(app) {
  const { words } = app;
  const [low, middle, high] = [h("span"), h("span"), h("span")];
  const ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
  const button = createScaleButton(app, low, h("span", { class: "hl-ramp-box" }, ramp, middle), high);
  const shut = createSwatch("forbidden", words.legend_forbidden);
  const comparison = createComparison(app);
  const status = h("span", { class: "hl-key hl-status", "data-testid": "hl-status" });
  /** @type {Record<string, string | null> | null} */
  let drawn = null;
  return {
    element: h("div", { class: "hl-legend", "data-testid": "hl-legend" }, button, comparison.element, shut, status),
    /** @param {FilmState} state */
    render(state) {
      const { values, status: sure } = app.shown(state);
      const { table, low: from, high: to } = app.shade(state, values);
      paintBar(ramp, table);
      const difference = state.view === "difference";
      const end = (/** @type {number} */ value) =>
        state.stretch
          ? near(sure, difference ? signed(value) : weight(value))
          : difference
            ? score(value).replace(/\.000$/, "")
            : String(value);
      text(low, difference ? end(from) : "0");
      text(middle, difference ? "0" : "");
      text(high, difference && !state.stretch ? `+${end(to)}` : end(to));
      attribute(button, "aria-pressed", state.stretch);
      comparison.render(state);
      shut.style.display = app.model.forbids(state.kind, app.model.site(state.kind).rows, ...headOf(state))
        ? ""
        : "none";
      text(status, exactness(words, sure, app.reel.meta.weight_error * (difference ? 2 : 1)));
      drawn = { low: low.textContent, middle: middle.textContent, high: high.textContent, status: status.textContent };
    },
    drawn: () => drawn,
  };
}
