// What a cell says when it is pointed at, and what screen readers hear of it.
import { h, text, tokenNode } from "./dom.js";
import { isDecoder } from "./model.js";
import { format, fragment, visible, weight } from "./text.js";

/** Lines of [template, values] for cell (row, column); row or column may be -1. */
function facts(app, state, [row, column], node) {
  const { model, words } = app;
  const { kind } = state;
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
    const at = row * model.sites.get(kind).columns + column;
    if (row >= model.rowsAt(kind, state.step)) lines.push([words.cell_unwritten, {}]);
    else if (!model.allowed(kind)[at]) lines.push([words.cell_forbidden, {}]);
    else {
      const head = app.current();
      const shown = (head.status === "exact" ? "" : "≈ ") + weight(head.weights[at]);
      lines.push([words.cell_weight, { weight: node === visibleText ? shown : h("strong", {}, shown) }]);
    }
  }
  return lines;
}

const visibleText = (token) => visible(token.text);

export function createTip(app) {
  const element = h("div", { class: "hl-tip", "data-testid": "hl-tip", "aria-hidden": "true", hidden: true });

  function render(state, box) {
    element.hidden = state.hover === null || !box;
    if (element.hidden) {
      if (state.hover === null) text(app.live, "");
      return;
    }
    element.replaceChildren(...facts(app, state, state.hover, tokenNode).map(([template, values]) =>
      h("div", {}, fragment(template, values))));
    // Keys do not move a pointer, so only what they reach is read out.
    if (!state.pointed) text(app.live, facts(app, state, state.hover, visibleText).map(([t, v]) => format(t, v)).join(", "));
    const host = element.offsetParent;
    if (!host) return;
    const [width, height] = [element.offsetWidth, element.offsetHeight];
    const right = box.x + box.width + 12;
    const x = right + width > host.clientWidth ? Math.max(0, box.x - width - 12) : right;
    const y = Math.min(Math.max(0, box.y + box.height + 10), Math.max(0, host.clientHeight - height));
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }
  return { element, render };
}
