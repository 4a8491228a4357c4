// The next-token distribution of a step: bars, per cent, the written token in amber.
import { attribute, h, text } from "./dom.js";
import { isPlain } from "../data/sampling.js";
import { format, percent, visible } from "../data/text.js";

/** One row of the list: a name, a bar, a number, and a button over all of it where it can be picked. */
class Bar {
  constructor(index, rest, pick) {
    this.name = h("bdi", { class: "hl-bar-name" });
    this.fill = h("span", { class: "hl-bar-fill" });
    this.value = h("span", { class: "hl-bar-value" });
    this.button =
      pick && !rest
        ? h("button", {
            type: "button",
            class: "hl-bar-pick",
            tabindex: index ? "-1" : "0",
            "data-testid": `hl-pick-${index}`,
          })
        : null;
    this.line = h(
      "li",
      { class: "hl-bar" + (rest ? " hl-bar-rest" : "") },
      this.name,
      h("span", { class: "hl-bar-track", "aria-hidden": "true" }, this.fill),
      this.value,
      this.button,
    );
    if (this.button)
      this.button.onclick = () => {
        if (this.item.chosen) return;
        this.line.classList.add("hl-bar-asked"); // until the new snapshot is here
        pick(this.item);
      };
  }

  show(item, words) {
    this.item = item;
    this.line.style.visibility = item ? "" : "hidden";
    if (!item) return;
    this.line.classList.remove("hl-bar-asked");
    this.line.classList.toggle("hl-bar-chosen", Boolean(item.chosen));
    this.line.classList.toggle("hl-bar-cut", item.p === 0);
    this.name.classList.toggle("hl-special", Boolean(item.special)); // not the word of the same spelling
    text(this.name, item.label ?? visible(item.text));
    this.name.title = this.name.textContent;
    this.fill.style.width = `${(item.p * 100).toFixed(2)}%`;
    text(this.value, item.p === 0 ? words.shape_cut : percent(item.p));
    if (!this.button) return;
    const named = { token: visible(item.text), p: this.value.textContent };
    attribute(this.button, "aria-label", format(item.chosen ? words.branch_here : words.branch_pick, named));
    attribute(this.button, "title", this.button.getAttribute("aria-label"));
    attribute(this.button, "aria-disabled", Boolean(item.chosen));
  }
}

/**
 * @param rows how many candidates are shown; so many lines are reserved from the start
 * @param at (step) => what model.js's `candidates` gives
 * @param pick (step, item) => what to do with a candidate that a person chose; null for nothing
 * @param logits exact.js's ExactLogits, for distributions that are not shown as they are
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
  let drawn = null;
  let facts = null;

  /** The candidates as temperature, top-k and top-p leave them, which changes no order. */
  function reshaped(next, step, shape) {
    const all = next.items.length + next.others;
    if (isPlain(shape)) return { ...next, kept: all, all, status: "exact" };
    const row = logits.get(step);
    if (!row) return { ...next, kept: all, all, status: logits.status(step) };
    const { kept, probability } = row.shaped(shape);
    const items = next.items.map((item) => ({ ...item, p: probability(item.id) }));
    return { ...next, items, kept, all, status: "exact", chosen: items.find((item) => item.chosen) ?? null };
  }

  /** The likeliest ones; the written token is always among them. */
  function chosenOf(items) {
    const shown = items.slice(0, rows);
    const chosen = items.find((item) => item.chosen);
    if (chosen && !shown.includes(chosen)) shown[shown.length - 1] = chosen;
    return shown;
  }

  /** Up and down walk the candidates, which are one tab stop. */
  list.onkeydown = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = lines.findIndex(({ button }) => button && button === event.target);
    if (by === undefined || from < 0) return;
    const to = lines[from + by];
    if (to?.button && to.item) {
      attribute(lines[from].button, "tabindex", "-1");
      attribute(to.button, "tabindex", "0");
      to.button.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    element,
    render({ step, shape }) {
      text(heading, title ?? format(words.next_title, { step: step + 1 }));
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
      text(
        note,
        next.chosen && next.rank > 1
          ? format(words.next_unlikely, { token: visible(next.chosen.text), rank: next.rank })
          : pick
            ? words.branch_hint
            : "",
      );
      drawn = shown.map((item) => [visible(item.text), item.p, item.chosen]);
    },
    drawn: () => drawn,
    facts: () => facts,
    logits,
    steps,
  };
}
