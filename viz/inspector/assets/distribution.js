// The next-token distribution of a step: bars, per cent, the written token in amber.
import { h, text } from "./dom.js";
import { isPlain } from "./sampling.js";
import { format, percent, visible } from "./text.js";

/**
 * @param rows how many candidates are shown; so many lines are reserved from the start
 * @param at (step) => what model.js's `candidates` gives
 * @param logits exact.js's ExactLogits, for distributions that are not shown as they are
 */
export function createDistribution(app, { rows, at, logits, title = null, steps = app.model.steps }) {
  const { words } = app;
  const heading = h("h3", { class: "hl-sub" });
  const lines = Array.from({ length: rows + 1 }, (_, index) => {
    const name = h("bdi", { class: "hl-bar-name" });
    const bar = h("span", { class: "hl-bar-fill" });
    const value = h("span", { class: "hl-bar-value" });
    const line = h("li", { class: "hl-bar" + (index === rows ? " hl-bar-rest" : "") }, name,
      h("span", { class: "hl-bar-track", "aria-hidden": "true" }, bar), value);
    return { line, name, bar, value };
  });
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

  function fill({ line, name, bar, value }, item) {
    line.style.visibility = item ? "" : "hidden";
    if (!item) return;
    line.classList.toggle("hl-bar-chosen", Boolean(item.chosen));
    line.classList.toggle("hl-bar-cut", item.p === 0);
    name.classList.toggle("hl-special", Boolean(item.special)); // not the word of the same spelling
    text(name, item.label ?? visible(item.text));
    name.title = name.textContent;
    bar.style.width = `${(item.p * 100).toFixed(2)}%`;
    text(value, item.p === 0 ? words.shape_cut : percent(item.p));
  }

  return {
    element,
    render({ step, shape }) {
      text(heading, title ?? format(words.next_title, { step: step + 1 }));
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
      lines.slice(0, rows).forEach((line, index) => fill(line, shown[index]));
      const left = next.kept - shown.filter((item) => item.p > 0).length;
      const p = Math.max(0, 1 - shown.reduce((sum, item) => sum + item.p, 0));
      fill(lines[rows], left > 0 ? { p, label: format(words.next_rest, { count: left.toLocaleString(app.language) }) } : null);
      text(note, next.chosen && next.rank > 1
        ? format(words.next_unlikely, { token: visible(next.chosen.text), rank: next.rank }) : "");
      drawn = shown.map((item) => [visible(item.text), item.p, item.chosen]);
    },
    drawn: () => drawn,
    facts: () => facts,
    logits,
    steps,
  };
}
