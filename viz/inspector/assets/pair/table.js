// The row that is read, in numbers of both looks, for those who do not see the pictures.
import { h, text } from "../dom.js";
import { near, signed, visible, weight } from "../text.js";

const ROWS = 12; // the table is a help, not a second picture

export function createTable(app) {
  const { words } = app;
  const caption = h("caption");
  const head = h("tr", {}, ...[words.axis_key, words.first, words.second, words.difference].map((name) => h("th", { scope: "col" }, name)));
  const body = h("tbody");
  const element = h("table", { class: "hl-hidden", "data-testid": "hl-table" }, caption, h("thead", {}, head), body);
  let drawn = "";

  /** {column, first, second} of the row's cells, those that changed most first. */
  function cells(kind, row) {
    const { seen, looks } = app;
    const numbers = (column) => looks.map((look, side) => {
      const [r, c] = seen.cellAt(kind, side, [row, column]);
      return r < 0 || c < 0 ? null : look.current().weights[r * look.model.sites.get(kind).columns + c];
    });
    const all = seen.columnPairs(kind).map((_, column) => [column, ...numbers(column)]);
    const change = ([, first, second]) => Math.abs((second ?? 0) - (first ?? 0));
    return all.sort((a, b) => change(b) - change(a)).slice(0, ROWS);
  }

  return {
    element,
    render(state) {
      const [row] = state.hover ?? state.pinned;
      const { status } = app.difference.shown();
      const key = JSON.stringify([app.selection(state), row, status]);
      if (key === drawn || row < 0) return;
      drawn = key;
      const said = (value, print) => h("td", {}, value === null ? "–" : near(status, print(value)));
      text(caption, `${words.pair_table}: ${visible(app.seen.queries(state.kind)[row].text)}`);
      body.replaceChildren(...cells(state.kind, row).map(([column, first, second]) => h("tr", {},
        h("th", { scope: "row" }, visible(app.seen.keys(state.kind)[column].text)), said(first, weight), said(second, weight),
        said(first === null || second === null ? null : second - first, signed))));
    },
  };
}
