// @ts-check
// What colours and hatches mean, and how exact the numbers are.
import { cssOf } from "./colour.js";
import { attribute, h, text } from "./dom.js";
import { headOf, isDecoder } from "../data/seen.js";
import { format, near, weight } from "../data/text.js";

/** @import { Chosen, Inspecting } from "../types" */

/** @param {Inspecting} app */
export function createLegend(app) {
  const { words } = app;
  const ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
  const high = h("span", { "data-testid": "hl-scale-high" });
  const scale = h(
    "button",
    {
      class: "hl-scale hl-scale-button",
      type: "button",
      title: words.scale_help,
      "aria-label": words.scale_help,
      "data-testid": "hl-scale",
    },
    h("span", {}, "0"),
    ramp,
    high,
  );
  scale.onclick = () => app.store.set({ stretch: !app.store.get().stretch });
  const forbidden = h(
    "span",
    { class: "hl-key" },
    h("i", { class: "hl-swatch hl-swatch-forbidden", "aria-hidden": "true" }),
    words.legend_forbidden,
  );
  const unwritten = h(
    "span",
    { class: "hl-key" },
    h("i", { class: "hl-swatch hl-swatch-unwritten", "aria-hidden": "true" }),
    words.legend_unwritten,
  );
  const status = h("span", { class: "hl-key hl-status", "data-testid": "hl-status" });
  const element = h("div", { class: "hl-legend", "data-testid": "hl-legend" }, unwritten, forbidden, status);
  return {
    element,
    scale,
    /** @param {Chosen} state */
    render(state) {
      const table = app.theme.scales[state.kind];
      const stops = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => cssOf(table[Math.round((at / 7) * 255)]));
      ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      forbidden.style.display = app.seen.forbids(state.kind, app.seen.site(state.kind).rows, ...headOf(state))
        ? ""
        : "none";
      unwritten.style.display = isDecoder(state.kind) ? "" : "none";
      attribute(scale, "aria-pressed", state.stretch);
      const { values, status: exactness } = app.shown(state);
      const top = app.shade(state, values).high;
      text(high, state.stretch ? format(words.scale_own, { largest: near(exactness, weight(top)) }) : "1");
      const coarse = app.model.coarse(state.kind) ? "_coarse" : "";
      const without = app.alone ? { failed: `absent${coarse}` } : { failed: `approximate${coarse}` };
      /** @type {Record<string, string>} */
      const names = { exact: "exact", loading: `loading${coarse}`, ...without };
      const { sums = null } = app.shown(state);
      const derived = sums === null ? "" : ` · ${sums ? words.units_summed : words.units_peaks}`;
      text(status, format(words[names[exactness]], { error: String(app.model.site(state.kind).error) }) + derived);
    },
  };
}
