// @ts-check
// One row, number by number: score -> after the mask -> exp -> weight, key by key, so that
// each can be worked out from the one before it. Scores are the tensor's, in float32.
import { attribute, h, text, tokenNode } from "./dom.js";
import { ranked } from "./a11y.js";
import { headOf, isDecoder } from "../data/seen.js";
import { softmaxRow } from "../data/softmax.js";
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
    const shown = open.slice(0, shut.length ? ROWS - Math.min(shut.length, 4) : ROWS);
    return {
      shown,
      shut: shut.slice(0, ROWS - shown.length),
      left: columns - shown.length - Math.min(shut.length, ROWS - shown.length),
    };
  }

  /**
   * @param {Chosen} state
   * @param {Step} item
   * @param {number} value
   */
  function line(state, item, value) {
    const name = tokenNode(model.keys(state.kind)[item.column]);
    const number = (/** @type {string} */ shown) => h("td", {}, shown);
    return h(
      "tr",
      { class: item.allowed ? "" : "hl-shut" },
      h("th", { scope: "row" }, name),
      number(score(item.score)),
      number(item.allowed ? score(item.score) : "−∞"),
      number(weight(item.exp)),
      number(weight(value)),
    );
  }

  /** @param {Chosen} state */
  function render(state) {
    const row = app.stageRow(state);
    const query = tokenNode(model.queries(state.kind)[row]);
    heading.replaceChildren(
      fragment(isDecoder(state.kind) ? words.numbers : words.cell_query, {
        step: String(row + 1),
        written: query,
        token: query,
      }),
    );
    if (isDecoder(state.kind))
      heading.append(" · ", fragment(words.numbers_reads, { read: tokenNode(model.read[row]) }));
    attribute(scroll, "aria-label", heading.textContent);
    const values = app.current();
    const problem = scoresProblem(app, state, values);
    table.hidden = problem !== null;
    if (problem || !values.scores) {
      drawn = null;
      text(note, `${words.numbers_hidden} ${problem}`);
      return;
    }
    const { columns } = model.site(state.kind);
    const softmax = softmaxRow(values.scores, model.allowed(state.kind, ...headOf(state)), row, columns);
    const { shown, shut, left } = order(state, row, columns);
    const shift = softmax.largest < 0 ? `+ ${score(-softmax.largest)}` : `− ${score(softmax.largest)}`;
    const printed = { largest: score(softmax.largest), shift, sum: weight(softmax.sum) };
    head.replaceChildren(
      ...["key", "score", "masked", "exp", "weight"].map((name) =>
        h("th", { scope: "col" }, format(words[`column_${name}`], printed)),
      ),
    );
    const weightAt = (/** @type {number} */ column) => values.weights[row * columns + column];
    body.replaceChildren(...[...shown, ...shut].map((column) => line(state, softmax.of[column], weightAt(column))));
    foot.replaceChildren(...totals(softmax, weightAt, [...shown, ...shut], left));
    text(note, softmax.sum > 0 ? format(words.numbers_largest, printed) : words.put_nothing);
    drawn = { ...softmax, shown: [...shown, ...shut] };
  }

  /**
   * @param {Softmax} softmax
   * @param {(column: number) => number} weightAt
   * @param {number[]} listed
   * @param {number} left
   */
  function totals(softmax, weightAt, listed, left) {
    let [exp, put, allPut] = [softmax.sum, 0, 0];
    listed.forEach((column) => {
      exp -= softmax.of[column].exp;
      put += weightAt(column);
    });
    softmax.of.forEach(({ column }) => {
      allPut += weightAt(column);
    });
    const row = (
      /** @type {string} */ name,
      /** @type {number} */ e,
      /** @type {number} */ w,
      /** @type {string} */ className,
    ) =>
      h(
        "tr",
        { class: className },
        h("th", { scope: "row" }, name),
        h("td"),
        h("td"),
        h("td", {}, weight(e)),
        h("td", {}, weight(w)),
      );
    return [
      ...(left > 0
        ? [row(format(words.numbers_others, { count: left }), Math.max(0, exp), Math.max(0, allPut - put), "hl-shut")]
        : []),
      row(words.numbers_sum, softmax.sum, allPut, "hl-sum"),
    ];
  }

  return { element, render, drawn: () => drawn };
}
