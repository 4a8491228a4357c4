// @ts-check
// What every milestone writes by itself: as a list to look at, and with all numbers as a table
// for those who do not see the pictures.
import { h, joined } from "../views/dom.js";
import { createHiddenTable } from "../views/hiddentable.js";
import { format, shorten, visible, wholePercent } from "../data/text.js";
import { chartsOf } from "./curves.js";

/** @import { FilmState, Point } from "./types" */
/** @import { Film } from "./film.js" */

const SHOWN = 60; // characters of an output in the list

/** @param {Film} app */
export function createOutputs(app) {
  const { reel, words } = app;
  const rows = reel.steps.map((step, index) => {
    const output = joined(reel.outputs[index]);
    const all = output ? visible(output) : words.wrote_nothing;
    const row = h(
      "li",
      { class: "hl-out", "data-index": index },
      h("span", { class: "hl-out-step" }, app.number(step)),
      h("bdi", { class: output ? "" : "hl-note", title: all }, shorten(all, SHOWN)),
    );
    row.onclick = () => app.player.go(index);
    return row;
  });
  const list = h(
    "ol",
    { class: "hl-outs", tabindex: "0", "aria-label": words.outputs, "data-testid": "hl-outputs" },
    ...rows,
  );
  const element = h("section", { class: "hl-outputs" }, h("h3", { class: "hl-sub" }, words.outputs), list);
  let now = -1;
  return {
    element,
    /** @param {FilmState} state */
    render({ milestone }) {
      if (milestone === now) return;
      rows[now]?.classList.remove("hl-out-now");
      rows[milestone].classList.add("hl-out-now");
      now = milestone;
    },
    /**
     * Scrolls the list, and nothing else, to the present milestone.
     * @param {FilmState} state
     */
    reveal({ milestone }) {
      const { offsetTop: top, offsetHeight: tall } = rows[milestone];
      const { scrollTop, clientHeight } = list;
      if (top >= scrollTop && top + tall <= scrollTop + clientHeight) return;
      list.scrollTop = top - Math.floor((clientHeight / tall - 1) / 2) * tall; // whole rows
    },
  };
}

/**
 * One row a milestone: what it writes, its losses and scores, the traits of the chosen head.
 * @param {Film} app
 */
export function createTable(app) {
  const { reel, words } = app;
  const table = createHiddenTable();
  let drawn = "";

  function written(/** @type {number} */ index) {
    const output = joined(reel.outputs[index]);
    return output ? visible(output) : words.wrote_nothing;
  }

  /**
   * All scores of a validation part by that milestone, and when they were taken.
   * @param {string} name
   * @param {number} index
   */
  function validated(name, index) {
    const curves = reel.meta.validation[name];
    const found = Object.entries(curves).map(([score, points]) => [score, reel.reported(points, index)]);
    const known = /** @type {[string, Point][]} */ (found.filter(([, point]) => point !== null));
    if (known.length === 0) return "–";
    const said = known.map(
      ([score, [, value]]) =>
        `${words[`score_${score}`]} ${score === "exact" ? wholePercent(value) : value.toFixed(2)}`,
    );
    return format(words.validated_at, { scores: said.join(", "), step: app.number(known[0][1][0]) });
  }

  return {
    element: table.element,
    /** @param {FilmState} state */
    render(state) {
      const key = JSON.stringify([state.kind, state.layer, state.head, state.pinned]);
      if (key === drawn) return;
      drawn = key;
      const charts = chartsOf(app, state).filter((chart) => chart.values !== undefined);
      const names = Object.keys(reel.meta.validation);
      const titles = [
        words.column_updates,
        words.outputs,
        ...names.map((name) => format(words.validation_of, { name })),
        ...charts.map(({ title }) => title),
      ];
      const rows = reel.steps.map((step, index) => [
        app.number(step),
        written(index),
        ...names.map((name) => validated(name, index)),
        ...charts.map(({ values, print }) => (values[index] === null ? "–" : print(values[index]))),
      ]);
      table.fill(`${words.table}: ${app.title(state)}`, titles, rows);
    },
  };
}
