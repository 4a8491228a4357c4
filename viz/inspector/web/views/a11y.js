// @ts-check
// The same facts in words: a sentence under the picture, and a table behind it.
import { h, joined } from "./dom.js";
import { createHiddenTable } from "./hiddentable.js";
import { mentioned } from "./mention.js";
import { headOf, isDecoder } from "../data/seen.js";
import { Memo } from "../data/memo.js";
import { fragment, near, shorten, visible, weight } from "../data/text.js";

/** @import { App, Chosen, Inspecting, Token } from "../types" */

const ROWS = 12; // the table is a help, not a second picture
const WORDS = 60; // characters of the prefix, at its end

/**
 * Columns of a row that are drawn, largest weight first.
 * @param {App} app
 * @param {Chosen} state
 * @param {number} row
 */
export function ranked(app, state, row) {
  const { columns } = app.seen.site(state.kind);
  const { weights, status } = app.current();
  const drawn = app.seen.drawn(state.kind, headOf(state), weights, status);
  /** @type {number[]} */
  const open = [];
  for (let column = 0; column < columns; column += 1) if (drawn[row * columns + column]) open.push(column);
  return open.sort((a, b) => weights[row * columns + b] - weights[row * columns + a]);
}

/** @type {(count: number, value: (at: number) => number) => number} */
function argmax(count, value) {
  let best = 0;
  for (let at = 1; at < count; at += 1) if (value(at) > value(best)) best = at;
  return best;
}

/**
 * Where the last words begin that `WORDS` characters hold; one of them in any case.
 * @param {Token[]} tokens
 */
function lastWords(tokens) {
  let from = 0;
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    if (tokens[at].joint) continue;
    if (from > 0 && joined(tokens.slice(at)).length > WORDS) break;
    from = at;
  }
  return from;
}

/** @param {Inspecting} app */
export function createSentence(app) {
  const { model, words } = app;
  const element = h("p", { class: "hl-sentence", "data-testid": "hl-sentence" });
  const prefixes = new Memo(2);

  /** What was read before a step, in short; "" for nothing but special tokens. */
  const readBefore = (/** @type {number} */ step) =>
    prefixes.get(String(step), () => {
      const read = model.read.slice(0, step + 1);
      const from = lastWords(read);
      const short = shorten(joined(read.slice(from)), 2 * WORDS);
      return joined(read.slice(0, from)) ? `…${short}` : short;
    });

  function prefix(/** @type {number} */ step) {
    const read = readBefore(step);
    if (read !== "") return fragment(words.after, { prefix: h("bdi", {}, read) });
    return step === 0 ? words.after_nothing : words.after_no_word;
  }

  /**
   * @param {Chosen} state
   * @param {number} row
   * @param {number | undefined} column
   * @param {string} template
   */
  function put(state, row, column, template) {
    if (column === undefined) return words.put_nothing;
    const head = app.current();
    const { seen } = app;
    const { columns } = seen.site(state.kind);
    const shown = near(head.status, weight(head.weights[row * columns + column]));
    return fragment(template, {
      query: h("strong", {}, mentioned(seen.queries(state.kind)[row])),
      weight: h("strong", { class: "hl-number" }, shown),
      key: h("strong", {}, mentioned(seen.keys(state.kind)[column])),
    });
  }

  /**
   * A pinned cell says its number for as long as it is there to be read.
   * @param {Chosen} state
   */
  function pinned(state) {
    const at = app.pinned(state);
    if (!at) return [];
    const { seen } = app;
    const [row, column] = at;
    const { columns } = seen.site(state.kind);
    const { weights, status } = app.current();
    const drawn = seen.drawn(state.kind, headOf(state), weights, status);
    const readable = row < seen.rowsAt(state.kind, state.step) && drawn[row * columns + column];
    return readable ? [" ", h("span", { class: "hl-pin" }, put(state, row, column, words.pinned_put))] : [];
  }

  /**
   * A pinned row says where it looks most, a pinned column who looks there most.
   * @param {Chosen} state
   */
  function held(state) {
    const at = app.held(state);
    if (!at) return [];
    const { seen } = app;
    const { columns } = seen.site(state.kind);
    const { weights } = app.current();
    const row = at[0] >= 0 ? at[0] : argmax(seen.rowsAt(state.kind, state.step), (r) => weights[r * columns + at[1]]);
    const column = at[0] >= 0 ? ranked(app, state, row)[0] : at[1];
    if (row >= seen.rowsAt(state.kind, state.step)) return [];
    return [
      " ",
      h("span", { class: "hl-pin" }, put(state, row, column, at[0] >= 0 ? words.held_query : words.held_key)),
    ];
  }

  return {
    element,
    /** @param {Chosen} state */
    render(state) {
      const row = app.focusRow(state);
      const template = isDecoder(state.kind) ? words.writing_put : words.reading_put;
      element.replaceChildren(
        ...(model.steps > 0 ? [h("span", {}, prefix(state.step)), " "] : []),
        row === null ? words.point : put(state, row, ranked(app, state, row)[0], template),
        ...pinned(state),
        ...held(state),
      );
    },
  };
}

/** @param {App} app */
export function createTable(app) {
  const { words } = app;
  const table = createHiddenTable();
  return {
    element: table.element,
    /** @param {Chosen} state */
    render(state) {
      const row = app.focusRow(state);
      if (row === null) {
        table.fill(words.point, [], []);
        return;
      }
      const model = app.seen;
      const { columns } = model.site(state.kind);
      const { weights, status } = app.current();
      const rows = ranked(app, state, row)
        .slice(0, ROWS)
        .map((column) => [
          visible(model.keys(state.kind)[column].text),
          near(status, weight(weights[row * columns + column])),
        ]);
      const caption = `${words.row_table}: ${visible(model.queries(state.kind)[row].text)}, ${app.title(state)}`;
      table.fill(caption, [words.axis_key, words.stage_weights], rows);
    },
  };
}
