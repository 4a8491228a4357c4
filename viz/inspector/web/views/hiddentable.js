// @ts-check
// A table of what is drawn, for those who do not see the pictures.
import { h, tableRow } from "./dom.js";

/** @param {string} testid */
export function createHiddenTable(testid = "hl-table") {
  const element = h("table", { class: "hl-hidden", "data-testid": testid });
  return {
    element,
    /**
     * @param {string} caption
     * @param {string[]} titles of its columns
     * @param {string[][]} rows each begins with its name
     */
    fill(caption, titles, rows) {
      const head = titles.map((title) => h("th", { scope: "col" }, title));
      const body = rows.map(([name, ...cells]) => tableRow(name, cells));
      element.replaceChildren(h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
    },
  };
}
