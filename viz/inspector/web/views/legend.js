// @ts-check
// What colours and hatches mean, and how exact the numbers are.
import { paintBar } from "./colour.js";
import { attribute, h, text } from "./dom.js";
import { endOfScale } from "./paint.js";
import { createScaleButton, createSwatch, exactness } from "./legendparts.js";
import { headOf, isDecoder } from "../data/seen.js";
import { format, near, weight } from "../data/text.js";

/** @import { Chosen, Inspecting } from "../types" */

/** @param {Inspecting} app */
export function createLegend(app) {
  const { words } = app;
  const ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
  const high = h("span", { "data-testid": "hl-scale-high" });
  const scale = createScaleButton(app, h("span", {}, "0"), ramp, high);
  const forbidden = createSwatch("forbidden", words.legend_forbidden);
  const unwritten = createSwatch("unwritten", words.legend_unwritten);
  const status = h("span", { class: "hl-key hl-status", "data-testid": "hl-status" });
  const element = h("div", { class: "hl-legend", "data-testid": "hl-legend" }, unwritten, forbidden, status);
  return {
    element,
    scale,
    /** @param {Chosen} state */
    render(state) {
      paintBar(ramp, app.theme.scales[state.kind]);
      unwritten.style.display = isDecoder(state.kind) ? "" : "none";
      attribute(scale, "aria-pressed", state.stretch);
      const { values, status: known, sums } = app.shown(state);
      forbidden.style.display = app.seen.drawn(state.kind, headOf(state), values, known).includes(0) ? "" : "none";
      const top = app.shade(state, values).high;
      text(high, state.stretch ? format(words.scale_own, { largest: near(known, weight(top)) }) : endOfScale(values));
      const of = { coarse: app.model.coarse(state.kind), alone: app.alone, sums };
      text(status, exactness(words, known, app.model.site(state.kind).error, of));
    },
  };
}
