// @ts-check
// A text with a gap, and beside each other what models write there: what each looks at, its mask, and
// the likeliest tokens.
import { createDistribution } from "../views/distribution.js";
import { chosenAlong } from "../views/drag.js";
import { attribute, h, text, tokenNode } from "../views/dom.js";
import { ChipRow } from "../views/chips.js";
import { createMenu, FIGURES, fileAt, NUMBERS } from "../views/menu.js";
import { candidates, tokensOf } from "../data/tokens.js";
import { format, percent, visible } from "../data/text.js";
import { PLAIN } from "../data/sampling.js";
import { Drawn } from "../drawn.js";
import { along } from "../keys.js";
import { createMask } from "./mask.js";

/** @import { Store, Token, Wanted } from "../types" */
/** @import { Filled, GapsMeta, GapsState } from "./types" */

const ROWS = 5; // candidates of a model

/** @extends {Drawn<GapsState>} */
export class GapsView extends Drawn {
  /**
   * @param {HTMLElement} root
   * @param {GapsMeta} meta
   * @param {Store<GapsState>} store
   * @param {boolean} alone without a server behind it
   */
  constructor(root, meta, store, alone) {
    super(root, store, meta);
    this.meta = meta;
    const { words } = this;
    /** @type {Token[]} */
    this.tokens = tokensOf(meta.tokens, words);
    const within = this.tokens.slice(1, -1);
    this.row = new ChipRow(within, undefined, {
      class: "hl-chips",
      role: "slider",
      tabindex: "0",
      "aria-label": words.gaps_tokens,
      "aria-valuemin": "1",
      "aria-valuemax": String(within.length),
      "data-testid": "hl-gaps-tokens",
    });
    chosenAlong(this.row.element, (event) =>
      store.set({ gap: this.row.nearest(event, this.sizes.of(this.row.element)[0]) }),
    );
    this.columns = meta.models.map((filled) => this.column(filled));
    this.exporting = alone ? null : this.exports();
    this.fill(
      words.gaps,
      h("div", { class: "hl-gaps-bar" }, h("p", { class: "hl-note" }, words.gaps_choose), this.exporting?.element),
      this.row.element,
      h("div", { class: "hl-gaps-columns" }, ...this.columns.map(({ element }) => element)),
      h("p", { class: "hl-note" }, words.gaps_mask),
    );
    this.hears((event) => this.key(event));
  }

  /** A menu of files: a figure of the gap, and all of them as numbers or as a page. */
  exports() {
    const { words, meta, language } = this;
    const rows = [
      { name: "one", label: words.gaps_one, forms: FIGURES },
      { name: "all", label: words.gaps_all, forms: [...NUMBERS, "html"] },
    ];
    const path = `${encodeURIComponent(meta.gaps_id)}/gaps`;
    return createMenu(this, rows, (/** @type {GapsState} */ { gap }, _, form) =>
      fileAt(`${path}.${form}`, { gap: gap + 1, lang: language }),
    );
  }

  /**
   * What one model sees and writes.
   * @param {Filled} filled
   */
  column({ model, context, next }) {
    const { words, tokens } = this;
    const chips = tokens.map((token) => h("span", { class: "hl-gaps-token" }, tokenNode(token)));
    const told = h("p", { class: "hl-hidden", "data-testid": "hl-gaps-seen" }); // the same in words
    const mask = createMask(this, context);
    const list = createDistribution(
      { words, language: this.language, model: { steps: next.length } },
      { rows: ROWS, at: (step) => candidates(next, step, words), logits: null, title: words.gaps_fills },
    );
    const element = h(
      "section",
      { class: "hl-gaps-model", "data-context": context, "data-testid": `hl-gaps-${context}` },
      h("h3", { class: "hl-sub" }, words[`gaps_${context}`]),
      h("p", { class: "hl-gaps-name" }, model),
      h("div", { class: "hl-gaps-seen", "aria-hidden": "true" }, ...chips),
      told,
      list.element,
      mask.element,
    );
    /** @param {number} gap among all tokens */
    const render = (gap) => {
      const seen = tokens.map((_, at) => context === "both" || (context === "before" ? at < gap : at > gap));
      chips.forEach((chip, at) => {
        chip.classList.toggle("hl-gaps-hidden", at !== gap && !seen[at]);
        chip.classList.toggle("hl-gaps-gap", at === gap);
      });
      const names = tokens.map((token, at) => (at === gap ? words.gaps_gap : visible(token.text)));
      text(told, format(words.gaps_looks, { tokens: names.filter((_, at) => seen[at]).join(", ") }));
      list.render({ step: gap - 1, shape: PLAIN });
      mask.render(gap);
    };
    return { element, render, list, model };
  }

  selection(state = this.store.get()) {
    return /** @type {Wanted} */ ({ gap: String(state.gap + 1) });
  }

  /** @param {Wanted} wanted */
  adopt(wanted) {
    const gap = Number(wanted.gap) - 1;
    if (Number.isInteger(gap) && gap >= 0 && gap < this.tokens.length - 2) this.store.set({ gap });
  }

  /** @param {GapsState} state */
  render(state) {
    const { gap } = state;
    this.row.show(gap, this.sizes.of(this.row.element)[0]);
    this.row.chips.forEach((chip) => chip.classList.remove("hl-later"));
    attribute(this.row.element, "aria-valuenow", gap + 1);
    attribute(this.row.element, "aria-valuetext", visible(this.tokens[gap + 1].text));
    this.columns.forEach((column) => column.render(gap + 1));
    const said = this.columns.flatMap(({ list, model }) => {
      const first = list.drawn()?.[0];
      return first
        ? [format(this.words.gaps_said, { model, token: String(first[0]), p: percent(Number(first[1])) })]
        : [];
    });
    text(this.live, said.join("; "));
    this.exporting?.render(state);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { gap } = this.store.get();
    const last = this.tokens.length - 3;
    /** @type {Record<string, number | undefined>} */
    const places = { ArrowLeft: gap - 1, ArrowRight: gap + 1, Home: 0, End: last, ...along(event.target, gap) };
    const to = places[event.key];
    if (to === undefined) return;
    this.store.set({ gap: Math.min(Math.max(to, 0), last) });
    event.preventDefault();
    event.stopPropagation();
  }

  facts() {
    if (this.frame) this.flush(); // what is told is what is drawn
    return {
      selection: this.selection(),
      filled: this.columns.map(({ list, model }) => ({ model, drawn: list.drawn() })),
    };
  }
}
