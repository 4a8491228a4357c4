// @ts-check
// A menu of what leaves the app: the link to the view, and files that the server makes, one row a
// view, one link a format.
import { attribute, h, text } from "./dom.js";
import { megabytes } from "./filesize.js";
import { createLink } from "./link.js";
import { format } from "../data/text.js";

/** @import { Site, Words } from "../types" */
/**
 * A view that there are files of. `when`: there is such a file; `cells`: of its numbers; `size`: bytes
 * of its page, about. The form "compact" is a page that is a small one.
 * @template State
 * @typedef {{
 *   name: string, label: string, forms: string[], when?: (state: State) => boolean,
 *   cells?: (state: State) => number, size?: (state: State, compact: boolean) => number,
 * }} Row
 */

export const FIGURES = ["png", "svg", "pdf"];
export const NUMBERS = ["csv", "json"];
export const FIGURES_AND_NUMBERS = [...FIGURES, ...NUMBERS];
const EDGE = 8; // pixels between the list and the window's edge
const MOST_CELLS = 2 ** 20; // of numbers: viz/export/numbers.py refuses more

/** Cells of a head, and of all heads of a kind. */
export const cellsOf = (/** @type {Pick<Site, "rows" | "columns">} */ { rows, columns }) => rows * columns;
export const allCellsOf = (/** @type {Site} */ site) => site.layers * site.heads * cellsOf(site);

/**
 * The address at which the server makes a file.
 * @param {string} path
 * @param {Record<string, unknown>} parts of its query; null and undefined ones are left out
 */
export function fileAt(path, parts) {
  const asked = Object.entries(parts).filter(([, value]) => (value ?? null) !== null);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
  return new URL(`export/${path}?${query}`, document.baseURI).href;
}

/**
 * @template State
 * @param {{ words: Words, store: { get(): State } }} app
 * @param {Row<State>[]} rows
 * @param {(state: State, name: string, form: string) => string} address where that file is made
 */
export function createMenu(app, rows, address, note = "") {
  const { words } = app;
  /** @type {{ link: HTMLAnchorElement, about: HTMLElement, called: string, row: Row<State>, form: string }[]} */
  const links = [];
  const summary = h("summary", { class: "hl-option", "data-testid": "hl-export" }, words.export);
  const lines = rows.map((row) => {
    const { name, label } = row;
    const forms = row.forms.map((form) => {
      const shown = form === "compact" ? words.export_compact : form.toUpperCase();
      const called = `${label}, ${shown}`;
      const about = h("span", { class: "hl-export-size" });
      const to = { href: "", download: "", "data-form": `${name}.${form}`, "aria-label": called };
      const link = h("a", { class: "hl-export-link", ...to }, shown);
      links.push({ link, about, called, row, form });
      return h("span", { class: "hl-export-form" }, link, about);
    });
    const group = { class: "hl-export-row", role: "group", "aria-label": label };
    return h("div", group, h("span", {}, label), h("span", { class: "hl-export-forms" }, ...forms));
  });
  const tooMany = h("p", { class: "hl-note", "data-testid": "hl-export-most" }, words.export_most);
  const busy = h(
    "p",
    { class: "hl-note", role: "alert", hidden: true, "data-testid": "hl-export-busy" },
    words.export_busy,
  );
  const shared = createLink(words);
  const list = h("div", { class: "hl-export-list" }, shared.row, shared.said, ...lines, busy, tooMany);
  if (note) list.append(h("p", { class: "hl-note" }, note));
  const element = h("details", { class: "hl-export" }, summary, list);

  /** @param {State} state */
  function fill(state) {
    const many = rows.filter(({ cells }) => cells && cells(state) > MOST_CELLS);
    links.forEach(({ link, about, called, row, form }) => {
      const compact = form === "compact";
      const where = new URL(address(state, row.name, compact ? "html" : form));
      if (compact) where.searchParams.set("compact", "on");
      attribute(link, "href", where.href);
      const size = (compact || form === "html") && row.size?.(state, compact);
      text(about, size ? format(words.export_about, { size: megabytes(size) }) : "");
      attribute(link, "aria-label", [called, about.textContent].filter(Boolean).join(", "));
      link.hidden = NUMBERS.includes(form) && many.includes(row);
    });
    rows.forEach(({ when }, at) => {
      lines[at].hidden = when ? !when(state) : false;
    });
    tooMany.hidden = many.length === 0;
  }

  /**
   * A browser says of a file that is refused only that it failed: so there is a question before.
   * @type {HTMLAnchorElement | null}
   */
  let asked = null;
  /** @param {HTMLAnchorElement} link */
  async function follow(link) {
    const room = await fetch(link.href, { method: "HEAD" }).then(
      ({ status }) => status !== 503,
      () => true,
    );
    busy.hidden = room;
    if (!room) return;
    asked = link;
    link.click();
  }
  list.onclick = (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link !== asked) {
      event.preventDefault();
      follow(link);
    }
    asked = null;
  };

  summary.onclick = () => fill(app.store.get()); // it opens now, and says so only later
  element.ontoggle = () => {
    list.classList.remove("hl-export-upwards");
    list.style.translate = "";
    text(shared.said, "");
    list.scrollTop = 0;
    if (!element.open) return;
    const { left, bottom, height } = list.getBoundingClientRect();
    if (left < EDGE) list.style.translate = `${EDGE - left}px`; // beyond the window's edge
    const above = summary.getBoundingClientRect().top - parseFloat(getComputedStyle(list).scrollMarginTop);
    list.classList.toggle("hl-export-upwards", bottom > window.innerHeight && height < above);
    list.scrollIntoView({ block: "nearest" }); // where neither side has room
  };
  element.onkeydown = (event) => {
    if (event.key === "Escape" && element.open) {
      element.open = false;
      summary.focus();
    } else if (!event.key.startsWith("Arrow")) return;
    event.stopPropagation();
  };
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !element.contains(/** @type {Node} */ (relatedTarget))) element.open = false;
  });
  return {
    element,
    /** @param {State} state while it is shut, addresses need not keep up with what is seen */
    render(state) {
      if (element.open) fill(state);
    },
  };
}
