// @ts-check
// Temperature, top-k and top-p of the next-token panel: three quiet sliders behind one line.
import { createSlider, h, text } from "./dom.js";
import { isPlain, PLAIN } from "../data/sampling.js";
import { format } from "../data/text.js";

/** @import { Chosen, Inspecting, Shape } from "../types" */

const STOPS = [1, 2, 3, 5, 10, 20, 50, 100, 0]; // of top-k; 0 cuts nothing

/**
 * null where the trace has no logits to compute from.
 * @param {Inspecting} app
 */
export function createShaping(app) {
  const { model, store, words } = app;
  if (!model.meta.logits) return null;
  const change = (/** @type {Partial<Shape>} */ patch) => store.set({ shape: { ...store.get().shape, ...patch } });
  const all = (/** @type {number} */ value) => (value === 0 ? words.shape_all : String(value));
  const sliders = [
    slider(
      "temperature",
      words.shape_temperature,
      [0.1, 3, 0.1],
      (at) => ({ temperature: Number(at.toFixed(1)) }),
      ({ temperature }) => [temperature, temperature.toFixed(1)],
    ),
    slider(
      "top-k",
      words.shape_top_k,
      [0, STOPS.length - 1, 1],
      (at) => ({ topK: STOPS[at] }),
      ({ topK }) => [STOPS.findIndex((stop) => stop >= (topK || Infinity) || stop === 0), all(topK)],
    ),
    slider(
      "top-p",
      words.shape_top_p,
      [0.05, 1, 0.05],
      (at) => ({ topP: Number(at.toFixed(2)) }),
      ({ topP }) => [topP, topP.toFixed(2)],
    ),
  ];
  const summary = h("summary", { class: "hl-shape-summary", "data-testid": "hl-shape" }, words.shape);
  const left = h("span", { class: "hl-number", "data-testid": "hl-shape-left", "aria-live": "polite" });
  const reset = h("button", { type: "button", class: "hl-shape-reset" }, words.shape_reset);
  const row = h("div", { class: "hl-shape-row" }, ...sliders.map((one) => one.element), reset);
  const element = h("details", { class: "hl-shape" }, summary, row, left);
  let open = (element.open = store.get().shaping);

  /**
   * @param {string} name
   * @param {string} label
   * @param {number[]} range
   * @param {(at: number) => Partial<Shape>} patch
   * @param {(shape: Shape) => [number, string]} show
   */
  function slider(name, label, [min, max, step], patch, show) {
    const input = createSlider(`hl-${name}`, label, { min, max, step }, (at) => change(patch(at)));
    const value = h("span", { class: "hl-number hl-shape-value", "aria-hidden": "true" });
    const box = h("label", { class: "hl-shape-slider" }, h("span", {}, label), input.element, value);
    return {
      element: box,
      render(/** @type {Shape} */ shape) {
        const [at, shown] = show(shape);
        input.render(at, shown);
        text(value, shown);
      },
    };
  }

  /**
   * What is not as the model has it, for who sees the numbers with the sliders folded.
   * @param {Shape} shape
   */
  function said({ temperature, topK, topP }) {
    return [
      temperature !== PLAIN.temperature && `${words.shape_temperature} ${temperature.toFixed(1)}`,
      topK !== PLAIN.topK && `${words.shape_top_k} ${topK}`,
      topP !== PLAIN.topP && `${words.shape_top_p} ${topP.toFixed(2)}`,
    ]
      .filter(Boolean)
      .join(" · ");
  }

  element.ontoggle = () => {
    open = element.open;
    store.set({ shaping: open });
  };
  reset.onclick = () => change(PLAIN);

  return {
    element,
    /**
     * @param {Chosen} state
     * @param {{ kept: number, all: number, status: string } | null} next what distribution.js drew, or null
     *   where it drew nothing
     */
    render({ shape, shaping }, next) {
      if (open !== shaping) open = element.open = shaping; // chosen elsewhere
      sliders.forEach((one) => one.render(shape));
      const plain = isPlain(shape);
      text(summary, plain ? words.shape : said(shape));
      reset.style.visibility = plain ? "hidden" : "";
      const number = (/** @type {number} */ value) => value.toLocaleString(app.language);
      if (plain || !next) {
        text(left, "");
        return;
      }
      /** @type {Record<string, string>} */
      const standing = {
        exact: format(words.shape_left, { kept: number(next.kept), all: number(next.all) }),
        loading: words.shape_loading,
        failed: words.shape_failed,
      };
      text(left, standing[next.status]);
    },
  };
}
