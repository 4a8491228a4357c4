// @ts-check
// The smallest weights of each row left out of the picture, up to a share of the row's mass.
import { createSlider, h, text } from "./dom.js";
import { format, near, wholePercent } from "../data/text.js";

/** @import { Chosen, Inspecting } from "../types" */
/**
 * What is drawn of a head, and the mass hidden and whole by row.
 * @typedef {{ share: number, drawn: Float32Array, hidden: Float64Array, totals: Float64Array }} Trimmed
 */

/** @type {WeakMap<Float32Array, Trimmed>} */
const known = new WeakMap();
/** @type {WeakMap<Float32Array, Float32Array>} */
const orders = new WeakMap(); // rows from small to large: sorting is dear, and the same for every share

/**
 * {drawn, hidden, totals}: weights (query, key) with the smallest of each row 0, as many as
 * together hold at most `share` of it (of equal ones all or none), and the mass hidden and
 * whole by row.
 * @param {Float32Array} weights
 * @param {number} rows
 * @param {number} columns
 * @param {number} share
 */
export function trimmed(weights, rows, columns, share) {
  const last = known.get(weights);
  if (last?.share === share) return last;
  const drawn = weights.slice();
  const order = sortedRows(weights, rows, columns);
  const [hidden, totals] = [new Float64Array(rows), new Float64Array(rows)];
  for (let row = 0; row < rows; row += 1) {
    const own = drawn.subarray(row * columns, (row + 1) * columns);
    const sorted = order.subarray(row * columns, (row + 1) * columns);
    for (let at = 0; at < columns; at += 1) totals[row] += sorted[at];
    const most = share * totals[row];
    let least = 0; // the smallest weight that stays
    for (let at = 0, sum = 0; at < columns; at += 1) {
      sum += sorted[at];
      if (sum > most) {
        least = sorted[at];
        break;
      }
    }
    for (let at = 0; at < columns; at += 1) {
      if (own[at] >= least) continue;
      hidden[row] += own[at];
      own[at] = 0;
    }
  }
  const made = { share, drawn, hidden, totals };
  known.set(weights, made);
  return made;
}

/** @type {(weights: Float32Array, rows: number, columns: number) => Float32Array} */
function sortedRows(weights, rows, columns) {
  const last = orders.get(weights);
  if (last) return last;
  const sorted = weights.slice();
  for (let row = 0; row < rows; row += 1) sorted.subarray(row * columns, (row + 1) * columns).sort();
  orders.set(weights, sorted);
  return sorted;
}

/** @param {Inspecting} app */
export function createTrim(app) {
  const { words, store } = app;
  const range = { min: 0, max: 0.5, step: 0.05 };
  const slider = createSlider("hl-trim", words.trim, range, (trim) => store.set({ trim }));
  const note = h("span", { class: "hl-number", "data-testid": "hl-trim-note" });
  const element = h("label", { class: "hl-trim hl-key" }, slider.element, note);

  /**
   * The share of all the mass in the rows up to `live` that is not drawn.
   * @param {Float64Array} hidden
   * @param {Float64Array} totals
   * @param {number} live
   */
  function share(hidden, totals, live) {
    const sum = (/** @type {Float64Array} */ masses) => masses.subarray(0, live).reduce((all, one) => all + one, 0);
    return sum(totals) > 0 ? sum(hidden) / sum(totals) : 0;
  }

  return {
    element,
    /** @param {Chosen} state */
    render(state) {
      const { hidden, totals, status } = app.shown(state);
      text(
        note,
        hidden === undefined || totals === undefined
          ? words.trim_none
          : format(words.trim_note, {
              share: wholePercent(state.trim),
              hidden: near(status, wholePercent(share(hidden, totals, app.seen.rowsAt(state.kind, state.step)))),
            }),
      );
      slider.render(state.trim, note.textContent ?? "");
    },
  };
}
