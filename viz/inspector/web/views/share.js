// @ts-check
// What becomes of the row's weights: how much of what all heads of the layer add to the residual
// stream is this head's output (core/nn/attention.py, `shares`).
import { h, text } from "./dom.js";
import { format, signed, wholePercent } from "../data/text.js";

/** @import { Chosen, Inspecting } from "../types" */

/** A share as people read it; those that go against the sum are negative. */
const shown = (/** @type {number} */ share) =>
  share >= 0 ? wholePercent(share) : share > -0.005 ? "> −1\u00a0%" : `−${wholePercent(-share)}`;

/** @param {Inspecting} app */
export function createShare(app) {
  const { model, store, words } = app;
  const heading = h("h3", { class: "hl-sub" });
  const bars = h("div", { class: "hl-share-bars", "aria-hidden": "true" });
  const note = h("p", { class: "hl-note" });
  const element = h("section", { class: "hl-share", "data-testid": "hl-share" }, heading, bars, note);
  /** @type {HTMLElement[]} */
  let columns = [];
  /** @type {{ head: number, shares: number[] } | null} */
  let drawn = null;

  /** @param {number} count */
  function build(count) {
    columns = Array.from({ length: count }, (_, head) => {
      const number = h("span", {}, String(head + 1));
      const column = h("div", { class: "hl-share-head", "data-head": head }, h("i"), number);
      column.onclick = () => store.set({ head, hover: null });
      return column;
    });
    bars.replaceChildren(...columns);
  }

  return {
    element,
    /** @param {Chosen} state */
    render(state) {
      const { heads, rows, shares: told } = model.site(state.kind);
      const { shares } = app.current();
      const row = app.stageRow(state);
      const own = shares && Array.from({ length: heads }, (_, head) => shares[head * rows + row]);
      bars.hidden = !own;
      drawn = own && { head: state.head, shares: own };
      if (!own) {
        text(heading, words.share);
        text(note, told ? (app.alone ? words.share_absent : words.share_loading) : words.share_missing);
        return;
      }
      text(heading, format(words.share_title, { share: shown(own[state.head]) }));
      const against = own.some((share) => share < 0) ? [words.share_against] : [];
      const fair = `${Number((100 / heads).toFixed(1))}\u00a0%`; // of 8 heads 12.5, not 13: eight are all
      text(note, [format(words.share_note, { heads, layer: state.layer + 1, fair }), ...against].join(". "));
      if (columns.length !== heads) build(heads);
      const most = Math.max(...own.map(Math.abs));
      columns.forEach((column, head) => {
        column.classList.toggle("hl-share-own", head === state.head);
        column.classList.toggle("hl-share-against", own[head] < 0);
        column.title = format(words.share_head, { head: head + 1, share: shown(own[head]) });
        const bar = /** @type {HTMLElement} */ (column.firstElementChild);
        bar.style.height = `${Math.max(1, (Math.abs(own[head]) / (most || 1)) * 34)}px`;
      });
    },
    drawn: () => drawn && { ...drawn, told: drawn.shares.map(signed) },
  };
}
