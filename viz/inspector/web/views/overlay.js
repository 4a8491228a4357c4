// @ts-check
// Several heads in the lines at once: the chosen one and those that are kept beside it, each
// with a number as well as a colour.
import { attribute, h } from "./dom.js";
import { same } from "../store.js";
import { format } from "../data/text.js";

/** @import { Inspecting, Chosen, Site, Store } from "../types" */

export const MOST = 8;

/**
 * Heads [layer, head] whose lines are drawn: the kept ones that this kind has, then the chosen.
 * @param {Pick<Site, "layers" | "heads">} site
 * @param {Pick<Chosen, "layer" | "head" | "kept">} state
 */
export function heads({ layers, heads: wide }, { layer, head, kept }) {
  const there = kept.filter(([l, n]) => l < layers && n < wide);
  const chosen = [layer, head];
  return there.some((other) => same(chosen, other)) ? there : [...there, chosen];
}

/**
 * Keeps a head or lets go of it; one place stays free for the head that is chosen.
 * @param {Store<Chosen>} store
 * @param {number[]} head
 */
export function keep(store, head) {
  const { kept } = store.get();
  const others = kept.filter((other) => !same(head, other));
  if (others.length < kept.length) store.set({ kept: others });
  else if (kept.length < MOST - 1) store.set({ kept: [...kept, head] });
}

/**
 * Buttons that name the heads in their colours, keep them and let go of them.
 * @param {Inspecting} app
 */
export function createOverlay(app) {
  const { words, store } = app;
  const element = h("div", {
    class: "hl-overlay",
    role: "group",
    "aria-label": words.overlay,
    title: words.overlay_hint,
    "data-testid": "hl-overlay",
  });
  let told = "";

  /**
   * @param {number[]} place
   * @param {number} at
   * @param {{ kept: boolean, alone: boolean, hidden: string }} more
   */
  function chip([layer, head], at, { kept, alone, hidden }) {
    const place = { layer: layer + 1, head: head + 1 };
    const mark = alone ? "+" : String(at + 1);
    const keeps = format(words.overlay_keep, { name: format(words.head_name, place) });
    const said = alone ? keeps : `${mark}. ${keeps} ${format(words.overlay_hidden, { hidden })}`;
    const about = { class: "hl-overlay-head", "aria-pressed": String(kept), "aria-label": said };
    const button = h(
      "button",
      { type: "button", "data-head": `${layer}/${head}`, ...about },
      h("b", {}, mark),
      ` ${format(words.head_short, place)} `,
      alone ? words.overlay_more : h("span", {}, hidden),
    );
    if (!alone) button.style.setProperty("--hl-own", app.theme.several[at]);
    button.onclick = () => {
      keep(store, [layer, head]);
      app.flush();
      const again = /** @type {HTMLElement | null} */ (element.querySelector(`[data-head="${layer}/${head}"]`));
      again?.focus({ preventScroll: true });
    };
    return button;
  }

  return {
    element,
    /**
     * @param {Chosen} state
     * @param {{ head: number[], hidden: string }[]} drawn in the order of their numbers
     */
    render({ kept }, drawn) {
      const now = JSON.stringify([drawn, kept, app.theme.key]);
      if (now === told) return;
      told = now;
      element.replaceChildren(
        ...drawn.map(({ head, hidden }, at) =>
          chip(head, at, { kept: kept.some((other) => same(head, other)), alone: kept.length === 0, hidden }),
        ),
      );
      attribute(element, "data-count", drawn.length);
    },
  };
}
