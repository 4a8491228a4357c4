// @ts-check
// The next-token distribution of a step: bars, per cent, the written token in amber.
import { attribute, h, text } from "./dom.js";
import { isPlain } from "../data/sampling.js";
import { format, percent, quoted, visible } from "../data/text.js";

/** @import { Candidate, Candidates, Chosen, Shape, Words } from "../types" */
/** @import { ExactLogits } from "../data/exact.js" */
/** @import { PLAIN } from "../data/sampling.js" */
/**
 * What a line shows: a candidate, or by its `label` what is left.
 * @typedef {(Candidate & { label?: undefined }) |
 *   { p: number, label: string, special?: undefined, dash?: undefined, chosen?: undefined }} Item
 */

/** One row of the list: a name, a bar, a number, and a button over all of it where it can be picked. */
class Bar {
  /**
   * @param {number} index
   * @param {boolean} rest
   * @param {((item: Candidate) => void) | null} pick
   */
  constructor(index, rest, pick) {
    /** @type {Item | null | undefined} */
    this.item = null;
    this.name = h("bdi", { class: "hl-bar-name" });
    this.fill = h("span", { class: "hl-bar-fill" });
    this.value = h("span", { class: "hl-bar-value" });
    const about = { type: "button", tabindex: index ? "-1" : "0", "data-testid": `hl-pick-${index}` };
    this.button = pick && !rest ? h("button", { class: "hl-bar-pick", ...about }) : null;
    const track = h("span", { class: "hl-bar-track", "aria-hidden": "true" }, this.fill);
    this.line = h("li", { class: rest ? "hl-bar hl-bar-rest" : "hl-bar" }, this.name, track, this.value, this.button);
    if (this.button && pick)
      this.button.onclick = () => {
        const { item } = this;
        if (!item || item.label !== undefined || item.chosen) return;
        this.line.classList.add("hl-bar-asked"); // until the new snapshot is here
        pick(item);
      };
  }

  /** @type {(item: Item | null | undefined, words: Words) => void} */
  show(item, words) {
    this.item = item;
    this.line.style.visibility = item ? "" : "hidden";
    if (!item) return;
    this.line.classList.remove("hl-bar-asked");
    this.line.classList.toggle("hl-bar-chosen", Boolean(item.chosen));
    this.line.classList.toggle("hl-bar-cut", item.p === 0);
    this.name.classList.toggle("hl-special", Boolean(item.special)); // not the word of the same spelling
    this.name.classList.toggle("hl-dash", Boolean(item.dash)); // nor the one that begins a word
    text(this.name, item.label === undefined ? visible(item.text) : item.label);
    this.name.title = this.name.textContent;
    this.fill.style.width = `${(item.p * 100).toFixed(2)}%`;
    text(this.value, item.p === 0 ? words.shape_cut : percent(item.p));
    if (!this.button || item.label !== undefined) return;
    const named = { token: visible(item.text), p: this.value.textContent };
    const said = format(item.chosen ? words.branch_here : words.branch_pick, named);
    attribute(this.button, "aria-label", said);
    attribute(this.button, "title", said);
    attribute(this.button, "aria-disabled", Boolean(item.chosen));
  }
}

/**
 * @template {ExactLogits | null} Exactly
 * @param {{ words: Words, language: string, model: { steps: number } }} app
 * @param {object} options
 * @param {number} options.rows how many candidates are shown; so many lines are reserved from the start
 * @param {(step: number) => Candidates | null} options.at what tokens.js's `candidates` gives
 * @param {Exactly} options.logits for distributions that are not shown as they are; null where
 *   none is asked for
 * @param {((step: number, item: Candidate) => void) | null} [options.pick] what to do with a candidate that a
 *   person chose; null for nothing
 * @param {string | ((step: number) => Node) | null} [options.title]
 * @param {number} [options.steps]
 */
export function createDistribution(app, { rows, at, logits, pick = null, title = null, steps = app.model.steps }) {
  const { words } = app;
  const heading = h("h3", { class: "hl-sub" });
  let now = 0;
  const lines = Array.from(
    { length: rows + 1 },
    (_, index) => new Bar(index, index === rows, pick && ((item) => pick(now, item))),
  );
  const note = h("p", { class: "hl-note hl-bar-note" });
  const list = h("ul", { class: "hl-bars" }, ...lines.map(({ line }) => line));
  const element = h("section", { class: "hl-next", "data-testid": "hl-next" }, heading, list, note);
  /** @type {(string | number | boolean)[][] | null} */
  let drawn = null;
  /** @type {{ kept: number, all: number, status: string } | null} */
  let facts = null;

  /**
   * The candidates as temperature, top-k and top-p leave them, which changes no order.
   * @param {Candidates} next
   * @param {number} step
   * @param {Shape} shape
   */
  function reshaped(next, step, shape) {
    const all = next.items.length + next.others;
    if (isPlain(shape)) return { ...next, kept: all, all, status: "exact" };
    const row = logits?.get(step);
    if (!row) return { ...next, kept: all, all, status: logits?.status(step) ?? "failed" };
    const { kept, probability } = row.shaped(/** @type {typeof PLAIN} */ (shape));
    const items = next.items.map((item) => ({ ...item, p: probability(item.id) }));
    return { ...next, items, kept, all, status: "exact", chosen: items.find((item) => item.chosen) ?? null };
  }

  /**
   * The likeliest ones; the written token is always among them.
   * @param {Candidate[]} items
   */
  function chosenOf(items) {
    const shown = items.slice(0, rows);
    const chosen = items.find((item) => item.chosen);
    if (chosen && !shown.includes(chosen)) shown[shown.length - 1] = chosen;
    return shown;
  }

  /** Up and down walk the candidates, which are one tab stop. */
  list.onkeydown = (event) => {
    const by = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 })[event.key];
    const from = lines.findIndex(({ button }) => button && button === event.target);
    if (by === undefined || from < 0) return;
    const to = lines[from + by];
    if (to?.button && to.item) {
      attribute(/** @type {Element} */ (event.target), "tabindex", "-1");
      attribute(to.button, "tabindex", "0");
      to.button.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    element,
    /** @param {Pick<Chosen, "step" | "shape">} state */
    render({ step, shape }) {
      if (typeof title === "function") heading.replaceChildren(title(step));
      else text(heading, title ?? format(words.next_title, { step: step + 1 }));
      now = step;
      const listed = step < steps ? at(step) : null;
      const next = listed && reshaped(listed, step, shape);
      facts = next && { kept: next.kept, all: next.all, status: next.status };
      list.hidden = next === null;
      if (next === null) {
        drawn = null;
        text(note, app.model.steps > 0 && step >= steps ? words.compare_ended : words.next_missing);
        return;
      }
      const shown = chosenOf(next.items);
      lines.slice(0, rows).forEach((line, index) => line.show(shown[index], words));
      const left = next.kept - shown.filter((item) => item.p > 0).length;
      // What is left is not cut, however little it is.
      const p = Math.max(Number.MIN_VALUE, 1 - shown.reduce((sum, item) => sum + item.p, 0));
      lines[rows].show(
        left > 0 ? { p, label: format(words.next_rest, { count: left.toLocaleString(app.language) }) } : null,
        words,
      );
      const unlikely =
        next.chosen && next.rank !== null && next.rank > 1
          ? format(words.next_unlikely, {
              token: quoted(visible(next.chosen.text)),
              rank: next.rank.toLocaleString(app.language),
            })
          : "";
      note.classList.toggle("hl-hint", !unlikely); // which no paper can do
      text(note, unlikely || (pick ? words.branch_hint : ""));
      drawn = shown.map((item) => [visible(item.text), item.p, item.chosen]);
    },
    drawn: () => drawn,
    facts: () => facts,
    logits,
    steps,
  };
}
