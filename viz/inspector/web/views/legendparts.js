// @ts-check
// What legends are made of: the button of a scale, what a hatch means, how exact the numbers are.
import { h } from "./dom.js";
import { format } from "../data/text.js";

/** @import { Child, Head, Words } from "../types" */

/**
 * The button that stretches the colours to the largest weight.
 * @param {{ words: Words, store: { get(): { stretch: boolean }, set(patch: { stretch: boolean }): void } }} app
 * @param {Child[]} children
 */
export function createScaleButton({ words, store }, ...children) {
  const help = { title: words.scale_help, "aria-label": words.scale_help };
  const about = { class: "hl-scale hl-scale-button", type: "button", "data-testid": "hl-scale", ...help };
  const button = h("button", about, ...children);
  button.onclick = () => store.set({ stretch: !store.get().stretch });
  return button;
}

/**
 * A hatch and what it means.
 * @param {"forbidden" | "unwritten"} hatch
 * @param {string} meaning
 */
export const createSwatch = (hatch, meaning) =>
  h(
    "span",
    { class: "hl-key hl-hatch" },
    h("i", { class: `hl-swatch hl-swatch-${hatch}`, "aria-hidden": "true" }),
    meaning,
  );

/**
 * How exact the numbers are.
 * @param {Words} words
 * @param {Head["status"]} status
 * @param {number} error of the packed ones
 * @param {{ coarse?: boolean, alone?: boolean, sums?: boolean | null }} of coarse ones, of a page without a
 *   server behind it, of words that are sums or peaks of their pieces
 */
export function exactness(words, status, error, { coarse = false, alone = false, sums = null } = {}) {
  const packed = coarse ? "_coarse" : "";
  const without = alone ? { failed: `absent${packed}` } : { failed: `approximate${packed}` };
  /** @type {Record<string, string>} */
  const names = { exact: "exact", loading: `loading${packed}`, ...without };
  const said = format(words[names[status]], { error: String(error) });
  return sums === null ? said : `${said} · ${sums ? words.units_summed : words.units_peaks}`;
}
