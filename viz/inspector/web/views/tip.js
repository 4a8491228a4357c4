// @ts-check
// What a cell says when it is pointed at, and what screen readers hear of it.
import { h, tokenNode } from "./dom.js";
import { headOf, isDecoder } from "../data/seen.js";
import { format, fragment, near, visible, weight } from "../data/text.js";

/** @import { App, HeadState, Token } from "../types" */
/**
 * A template and what stands in its holes.
 * @typedef {[string, Record<string, any>]} Line
 */
/**
 * What a view says of its cells. `valueOf` tells what a cell that is drawn holds, or (`always`) any; a
 * forbidden one says so, unless `silent`.
 * @typedef {{ valueOf: (app: App, cell: number) => Line, always?: boolean, silent?: boolean }} Says
 */

/**
 * What a matrix of weights says of a cell that may be read.
 * @param {App} app
 * @param {number} at
 * @returns {Line}
 */
export function weightOf(app, at) {
  const head = app.current();
  return [app.words.cell_weight, { weight: near(head.status, weight(head.weights[at])) }];
}

/**
 * Lines for cell (row, column); row or column may be -1.
 * @param {App} app
 * @param {HeadState} state
 * @param {number[]} at
 * @param {(token: Token) => string | Node} node
 * @param {Says} says
 */
function facts(app, state, [row, column], node, { valueOf, always, silent }) {
  const { words, seen: model } = app;
  const { kind } = state;
  /** @type {Line[]} */
  const lines = [];
  if (row >= 0) {
    const query = node(model.queries(kind)[row]);
    if (isDecoder(kind)) {
      // A decoder row has two names; the one that is written leads.
      lines.push([words.cell_writes, { token: query }], [words.cell_reads, { token: node(model.read[row]) }]);
    } else lines.push([words.cell_query, { token: query }]);
  }
  if (column >= 0) lines.push([words.cell_key, { token: node(model.keys(kind)[column]) }]);
  if (row >= 0 && column >= 0) {
    const at = row * model.site(kind).columns + column;
    if (row >= model.rowsAt(kind, state.step)) lines.push([words.cell_unwritten, {}]);
    else {
      const { weights, status } = app.current();
      const open = model.drawn(kind, headOf(state), weights, status)[at];
      const { queries, keys } = model.counts(kind, [row, column], state.step, headOf(state));
      if (open && (queries > 1 || keys > 1)) {
        lines.push([words.cell_made_of, { queries: String(queries), keys: String(keys) }]);
      }
      if (always || open) lines.push(valueOf(app, at));
      if (!silent && !model.allowed(kind, ...headOf(state))[at]) lines.push([words.cell_forbidden, {}]);
    }
  }
  return lines;
}

const visibleText = (/** @type {Token} */ token) => visible(token.text);

/**
 * What a cell says as one plain line, for the live region.
 * @param {App} app
 * @param {HeadState} state
 * @param {Says} says
 */
export function spoken(app, state, says = { valueOf: weightOf }) {
  if (state.hover === null || state.pointed) return "";
  return facts(app, state, state.hover, visibleText, says)
    .map(([t, v]) => format(t, v))
    .join(", ");
}

/**
 * Puts what is said of a box beside it, within the offset parent that both lie in.
 * @param {HTMLElement} element
 * @param {{ x: number, y: number, width: number, height: number }} box
 */
export function placed(element, box) {
  const host = element.offsetParent;
  if (host === null) return;
  const [width, height] = [element.offsetWidth, element.offsetHeight];
  const right = box.x + box.width + 12;
  const x = right + width > host.clientWidth ? Math.max(0, box.x - width - 12) : right;
  const y = Math.min(Math.max(0, box.y + box.height + 10), Math.max(0, host.clientHeight - height));
  element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}

/**
 * @param {App} app
 * @param {string} testid
 * @param {Says} says
 */
export function createTip(app, testid = "hl-tip", says = { valueOf: weightOf }) {
  const element = h("div", { class: "hl-tip", "data-testid": testid, "aria-hidden": "true", hidden: true });

  let told = ""; // what it says, and where: measuring it again would lay out anew

  /**
   * @param {HeadState} state
   * @param {number[] | null} at cell [row, column] or null
   * @param {{ x: number, y: number, width: number, height: number } | null} box where it lies in the offset parent
   */
  function render(state, at, box) {
    element.hidden = !at || !box;
    if (!at || !box) {
      told = "";
      return;
    }
    const now = JSON.stringify([facts(app, state, at, visibleText, says), box, app.theme.key, app.theme.font]);
    if (told === now) return;
    told = now;
    element.replaceChildren(
      ...facts(app, state, at, tokenNode, says).map(([template, values]) => h("div", {}, fragment(template, values))),
    );
    placed(element, box);
  }
  return { element, render };
}
