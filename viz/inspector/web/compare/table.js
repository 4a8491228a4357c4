// @ts-check
// The row that is read, in numbers of both traces, for those who do not see the pictures.
import { createHiddenTable } from "../views/hiddentable.js";
import { headOf } from "../data/seen.js";
import { near, signed, visible, weight } from "../data/text.js";

/** @import { Facts, PairState } from "./types" */
/** @import { Pair } from "./pair.js" */
/** @typedef {[number, number | null, number | null, boolean]} Row */

const ROWS = 12; // the table is a help, not a second picture

/** @param {Pair} app */
export function createTable(app) {
  const { words } = app;
  const table = createHiddenTable();
  const titles = [words.axis_key, words.first, words.second, words.difference];
  let drawn = "";

  /**
   * [column, first, second, is the difference known] of the row's cells, the most changed first.
   * @param {PairState} state
   * @param {number} row
   */
  function cells(state, row) {
    const { kind } = state;
    const { seen, traces } = app;
    const changed = app.difference.current();
    const open = seen.drawn(kind, headOf(state), changed.weights, changed.status);
    const pairs = seen.columnPairs(kind);
    const numbers = (/** @type {number} */ column) =>
      traces.map((trace, side) => {
        const [r, c] = seen.cellAt(kind, side, [row, column]);
        const at = r * trace.seen.site(kind).columns + c;
        const { weights, status } = trace.current();
        const drawn = r >= 0 && c >= 0 && trace.seen.drawn(kind, trace.headOf(state), weights, status)[at];
        return drawn ? weights[at] : null;
      });
    /** @type {Row[]} */
    const all = pairs.map((_, column) => {
      const [first, second] = numbers(column);
      return [column, first, second, open[row * pairs.length + column] === 1];
    });
    return all.sort((a, b) => Math.abs(change(b)) - Math.abs(change(a))).slice(0, ROWS);
  }

  const change = (/** @type {Row} */ [, first, second]) => (second ?? 0) - (first ?? 0);

  return {
    element: table.element,
    /**
     * @param {PairState} state
     * @param {Facts | null} facts what is read (pair.js), null for nothing
     */
    render(state, facts) {
      const row = facts && facts.places[0];
      const { status } = app.difference.shown();
      const key = JSON.stringify([app.selection(state), row, status]);
      if (key === drawn) return;
      drawn = key;
      if (row === null) {
        table.fill(words.point_pair, titles, []);
        return;
      }
      const said = (/** @type {number | null} */ value, /** @type {(value: number) => string} */ print) =>
        value === null ? "–" : near(status, print(value));
      const caption = [
        `${words.pair_table}: ${visible(app.seen.queries(state.kind)[row].text)}`,
        app.kindName(state.kind),
        ...app.traces.map((trace) => trace.title(trace.state(state))),
      ].join("; ");
      const rows = cells(state, row).map((cell) => [
        visible(app.seen.keys(state.kind)[cell[0]].text),
        said(cell[1], weight),
        said(cell[2], weight),
        said(cell[3] ? change(cell) : null, signed),
      ]);
      table.fill(caption, titles, rows);
    },
  };
}
