// @ts-check
// One row, number by number: score -> after the mask -> exp -> weight, key by key, so that
// each can be worked out from the one before it. Scores are the tensor's, in float32.
import { attribute, h, tableRow, text, tokenNode } from "./dom.js";
import { ranked } from "./a11y.js";
import { mentioned } from "./mention.js";
import { headOf, isDecoder } from "../data/seen.js";
import { isForced, sinkOf, softmaxRow } from "../data/softmax.js";
import { scoresProblem } from "./stages.js";
import { format, fragment, score, weight } from "../data/text.js";

/** @import { Chosen, Inspecting } from "../types" */
/** @import { Step } from "../data/softmax.js" */
/** @typedef {ReturnType<typeof softmaxRow>} Softmax */

const ROWS = 16;

/** @param {Inspecting} app */
export function createNumbers(app) {
  const { model, words } = app;
  const heading = h("h3", { class: "hl-sub" });
  const head = h("tr");
  const body = h("tbody");
  const foot = h("tfoot");
  const table = h(
    "table",
    { class: "hl-numbers-table", "data-testid": "hl-numbers" },
    h("thead", {}, head),
    body,
    foot,
  );
  const note = h("p", { class: "hl-note" });
  const scroll = h("div", { class: "hl-numbers-scroll", tabindex: "0", role: "group" }, table); // keys scroll it too
  const element = h("section", { class: "hl-numbers" }, heading, scroll, note);
  /** @type {(Softmax & { shown: number[] }) | null} */
  let drawn = null;

  /**
   * Largest weights first, then the forbidden ones; the rest is summed up in one line.
   * @param {Chosen} state
   * @param {number} row
   * @param {number} columns
   */
  function order(state, row, columns) {
    const open = ranked(app, state, row);
    /** @type {number[]} */
    const shut = [];
    for (let c = 0; c < columns && shut.length < ROWS; c += 1) if (!open.includes(c)) shut.push(c);
    return [...open.slice(0, ROWS - Math.min(shut.length, 4)), ...shut].slice(0, ROWS);
  }

  /** @type {(state: Chosen, item: Step, value: number, forced: boolean) => HTMLElement} */
  function line(state, item, value, forced) {
    const masked = item.allowed ? score(item.score) : "−∞";
    // float32 may round a weight away that no mask forbids, and only what is forbidden is nothing.
    const put = value === 0 && item.exp > 0 && !forced ? item.exp : value;
    return tableRow(
      tokenNode(model.keys(state.kind)[item.column]),
      [score(item.score), masked, weight(item.exp), weight(put)],
      item.allowed ? null : "hl-shut",
    );
  }

  /** @param {Chosen} state */
  function render(state) {
    const row = app.stageRow(state);
    const query = mentioned(model.queries(state.kind)[row]);
    heading.replaceChildren(
      fragment(isDecoder(state.kind) ? words.numbers : words.cell_query, {
        step: String(row + 1),
        written: query,
        token: query,
      }),
    );
    if (isDecoder(state.kind))
      heading.append(" · ", fragment(words.numbers_reads, { read: mentioned(model.read[row]) }));
    attribute(scroll, "aria-label", heading.textContent);
    const values = app.current();
    const problem = scoresProblem(app, state, values);
    table.hidden = problem !== null;
    if (problem || !values.scores) {
      drawn = null;
      text(note, `${words.numbers_hidden} ${problem}`);
      return;
    }
    const site = model.site(state.kind);
    const { columns } = site;
    const forced = isForced(site, state, row);
    const lost = sinkOf(site.sink && !forced, values.weights, row, columns);
    const allowed = model.allowed(state.kind, ...headOf(state));
    const softmax = softmaxRow(values.scores, allowed, row, columns, lost);
    const shown = order(state, row, columns);
    const shift = softmax.largest < 0 ? `+ ${score(-softmax.largest)}` : `− ${score(softmax.largest)}`;
    const printed = { largest: score(softmax.largest), shift, sum: weight(softmax.sum) };
    head.replaceChildren(
      ...["key", "score", "masked", "exp", forced ? "forced" : "weight"].map((name) =>
        h("th", { scope: "col" }, format(words[`column_${name}`], printed)),
      ),
    );
    const weightAt = (/** @type {number} */ column) => values.weights[row * columns + column];
    body.replaceChildren(...shown.map((column) => line(state, softmax.of[column], weightAt(column), forced)));
    foot.replaceChildren(...totals(softmax, weightAt, shown, lost));
    const told = softmax.sum > 0 ? format(words.numbers_largest, printed) : words.put_nothing;
    text(note, forced ? words.numbers_forced : told);
    drawn = { ...softmax, shown };
  }

  /**
   * The rest in one line, what goes to no key, and the sums.
   * @param {Softmax} softmax
   * @param {(column: number) => number} weightAt
   * @param {number[]} listed
   * @param {number} sink
   */
  function totals(softmax, weightAt, listed, sink) {
    const left = softmax.of.length - listed.length;
    const sunk = softmax.sum * sink;
    const exp = listed.reduce((rest, column) => rest - softmax.of[column].exp, softmax.sum - sunk);
    const put = listed.reduce((sum, column) => sum + weightAt(column), 0);
    const allPut = softmax.of.reduce((sum, { column }) => sum + weightAt(column), 0);
    const others = [null, null, weight(Math.max(0, exp)), weight(Math.max(0, allPut - put))];
    return [
      ...(left > 0 ? [tableRow(format(words.numbers_others, { count: left }), others, "hl-shut")] : []),
      ...(sink > 0 ? [tableRow(words.numbers_sink, [null, null, weight(sunk), weight(sink)], "hl-sink")] : []),
      tableRow(words.numbers_sum, [null, null, weight(softmax.sum), weight(allPut + sink)], "hl-sum"),
    ];
  }

  return { element, render, drawn: () => drawn };
}
