// @ts-check
// What a person exports: links to files of the view as it is now, made by the server.
import { OPTIONS, optionsOf } from "../options.js";
import { fileSize } from "./filesize.js";
import { allCellsOf, cellsOf, createMenu, FIGURES, FIGURES_AND_NUMBERS, fileAt } from "./menu.js";
import { same } from "../store.js";
import { toldRow } from "./told.js";

/** @import { Chosen, Inspecting, Site } from "../types" */
/** @import { Model } from "../data/model.js" */

/**
 * Bytes of a page of these models' traces, about. A mask that is not here yet is taken for an open one.
 * @param {Model[]} models
 * @param {boolean} compact
 * @param {boolean} scored
 */
export function sizeOf(models, compact, scored) {
  const open = (/** @type {number} */ at, /** @type {Site} */ { kind, layers, heads, rows, columns, masks }) => {
    if (!models[at].has(kind) || masks > 1) return layers * heads * rows * columns;
    return layers * heads * models[at].openCells(kind, rows, 0, 0);
  };
  return fileSize(
    models.map(({ meta }) => meta),
    { compact, scored, open },
  );
}

/**
 * A menu of files; null where the page has everything within itself and no server behind it.
 * @param {Inspecting} app
 */
export function createExport(app) {
  const { model, words } = app;
  if (app.alone) return null;
  const stages = app.view === "step";
  const options = OPTIONS[/** @type {keyof typeof OPTIONS} */ (app.view)];
  const site = (/** @type {Chosen} */ { kind }) => app.seen.site(kind);
  const told = model.meta.next ? words.export_next : words.export_told;
  const one = stages ? words.view_stages : words.view_matrix; // as the page calls it
  /** @type {import("./menu.js").Row<Chosen>[]} */
  const rows = [
    { name: "head", label: one, forms: FIGURES_AND_NUMBERS, cells: (state) => cellsOf(site(state)) },
    ...(stages ? [] : [{ name: "lines", label: words.view_lines, forms: FIGURES }]), // its numbers are the head's
    { name: "grid", label: words.export_grid, forms: FIGURES_AND_NUMBERS, cells: (state) => allCellsOf(site(state)) },
    ...(model.meta.next || model.meta.told?.length ? [{ name: "next", label: told, forms: FIGURES_AND_NUMBERS }] : []),
    {
      name: "whole",
      label: words.export_whole,
      forms: ["html", "compact", "npz"],
      size: (_, compact) => sizeOf([model], compact, true),
    },
  ];

  /**
   * The options that a file is asked for in: all of them of a living page, else those that are seen.
   * @param {Chosen} state
   * @param {string} name
   */
  function optionsFor(state, name) {
    const pinned = state.pinned?.map((at) => at + 1).join(".") ?? null;
    if (name === "whole") return { ...optionsOf(state, options), pinned };
    const chosen = [state.layer, state.head];
    const seen = {
      ...state,
      mode: "matrix",
      shaping: false,
      words: app.seen !== model,
      held: app.held(state) && state.held,
      kept: app.heads(state).filter((head) => !same(head, chosen)),
      order: app.ranking(state) ? state.order : "layer",
    };
    return { ...optionsOf(seen, options), pinned };
  }

  /** @type {(state: Chosen, name: string, form: string) => string} */
  function address(state, name, form) {
    const scores = model.sites.get(state.kind)?.scores;
    // The page shows stages that have no scores, too; a figure of them is that of the head.
    /** @type {Record<string, string>} */
    const views = { head: stages && scores ? "stages" : "head", whole: stages ? "stages" : "head" };
    const step = name === "next" && model.meta.told ? toldRow(app, state) : state.step;
    return fileAt(`${encodeURIComponent(model.meta.trace_id)}/trace.${form}`, {
      view: views[name] ?? name,
      kind: state.kind,
      layer: state.layer + 1,
      head: state.head + 1,
      lang: app.language,
      step: step === null ? null : step + 1,
      ...optionsFor(state, name),
    });
  }

  return createMenu(app, rows, address, words.export_note);
}
