// What a person takes along: links to files of the view as it is now, made by the server.
import { attribute, h } from "./dom.js";
import { LOOKS, looksOf } from "./looks.js";
import { same } from "./store.js";

const FIGURES = ["png", "svg", "pdf"];
const NUMBERS = ["csv", "json"];

/** A menu of files; null where the page has everything within itself and no server behind it. */
export function createTake(app) {
  const { model, words } = app;
  if (app.alone) return null;
  const rows = [
    { name: "head", label: words.take_head, forms: [...FIGURES, ...NUMBERS] },
    { name: "grid", label: words.take_grid, forms: [...FIGURES, ...NUMBERS] },
    ...(model.meta.next ? [{ name: "next", label: words.take_next, forms: [...FIGURES, ...NUMBERS] }] : []),
    { name: "whole", label: words.take_whole, forms: ["html", "npz"] },
  ];
  const links = [];
  const summary = h("summary", { class: "hl-option", "data-testid": "hl-take" }, words.take);
  const list = h("div", { class: "hl-take-list" }, ...rows.map(({ name, label, forms }) =>
    h("div", { class: "hl-take-row", role: "group", "aria-label": label }, h("span", {}, label),
      h("span", { class: "hl-take-forms" }, ...forms.map((form) => {
        const link = h("a", { class: "hl-take-link", href: "", download: "", "data-form": `${name}.${form}`, "aria-label": `${label}, ${form.toUpperCase()}` }, form.toUpperCase());
        links.push({ link, name, form });
        return link;
      })))));
  const note = h("p", { class: "hl-note" }, words.take_note);
  list.append(note);
  const element = h("details", { class: "hl-take" }, summary, list);

  /** The looks that a file is asked for in: all of them of a living page, else those that are seen. */
  function looks(state, name) {
    const pinned = state.pinned?.map((at) => at + 1).join(".") ?? null;
    if (name === "whole") return { ...looksOf(state, LOOKS[app.view]), pinned };
    const chosen = [state.layer, state.head];
    const seen = {
      ...state, mode: "matrix", shaping: false, words: app.seen !== model, held: app.held(state) && state.held,
      kept: app.heads(state).filter((head) => !same(head, chosen)), order: app.ranking(state) ? state.order : "layer",
    };
    return { ...looksOf(seen, LOOKS[app.view]), pinned };
  }

  function address(state, name, form) {
    const view = { head: state.mode === "lines" ? "lines" : "head", whole: "head" }[name] ?? name;
    const own = Object.entries(looks(state, name)).filter(([, text]) => text !== null);
    const asked = new URLSearchParams({
      view, kind: state.kind, layer: state.layer + 1, head: state.head + 1, lang: app.language,
      ...(state.step === null ? {} : { step: state.step + 1 }), ...Object.fromEntries(own),
    });
    const id = encodeURIComponent(model.meta.trace_id);
    return new URL(`take/${id}/look.${form}?${asked}`, document.baseURI).href;
  }

  function render(state) {
    if (element.open) links.forEach(({ link, name, form }) => attribute(link, "href", address(state, name, form)));
  }

  element.ontoggle = () => render(app.store.get());
  element.onkeydown = (event) => {
    if (event.key === "Escape" && element.open) {
      element.open = false;
      summary.focus();
    } else if (!event.key.startsWith("Arrow")) return;
    event.stopPropagation();
  };
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !element.contains(relatedTarget)) element.open = false;
  });
  return { element, render };
}
