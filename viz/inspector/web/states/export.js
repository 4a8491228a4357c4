// @ts-check
// What a person exports of states: links to files of what is drawn, made by the server.
import { server } from "../data/source.js";
import { createMenu, FIGURES, NUMBERS } from "../views/menu.js";

/** @import { Wanted } from "../types" */
/** @import { States } from "./states.js" */
/** @import { StatesPair } from "./pair.js" */
/** @import { PairState, StatesPairMeta, StatesState } from "./types" */

/**
 * Parts of a selection as an address has them.
 * @param {Wanted} parts
 * @param {string} language
 */
export function queryOf(parts, language) {
  const set = Object.entries(parts).filter(([, value]) => (value ?? null) !== null);
  return new URLSearchParams([...set.map(([name, value]) => [name, String(value)]), ["lang", language]]);
}

/**
 * A menu of files; null where the page has everything within itself and no server behind it.
 * @param {States} app
 */
export function createExport(app) {
  const { language, model, words } = app;
  if (model.ask !== server) return null;
  const id = encodeURIComponent(model.meta.trace_id);

  /**
   * @param {StatesState} state
   * @param {string} name
   * @param {string} form
   */
  function address(state, name, form) {
    const { position, unit, ...seen } = app.selection(state);
    const asked = {
      states: seen,
      next: { view: "next", step: position },
      whole: { ...seen, position, unit },
    }[name];
    const file = name === "next" ? "trace" : "states";
    return new URL(`export/${id}/${file}.${form}?${queryOf(asked ?? {}, language)}`, document.baseURI).href;
  }

  return createMenu(
    app,
    [
      { name: "states", label: words.states_export, forms: [...FIGURES, ...NUMBERS] },
      {
        name: "next",
        label: words.states_next,
        forms: [...FIGURES, ...NUMBERS],
        when: (/** @type {StatesState} */ state) => app.tells(state),
      },
      { name: "whole", label: words.states_whole, forms: ["html", "npz"] },
    ],
    address,
    words.states_export_note,
  );
}

/**
 * The same of two traces: a file is of one of them.
 * @param {StatesPair} app
 * @param {StatesPairMeta} meta
 */
export function createPairExport(app, meta) {
  const { language, words } = app;
  const having = app.panes.filter(({ side }) => side < 2);
  const rows = having.map(({ side }) => ({
    name: String(side),
    label: [words.first, words.second][side],
    forms: [...FIGURES, ...NUMBERS, "html", "npz"],
    when: () => app.panes.find((pane) => pane.side === side)?.values() !== undefined,
  }));

  /**
   * @param {PairState} state
   * @param {string} side
   * @param {string} form
   */
  function address(state, side, form) {
    const { position, unit, ...seen } = app.selection(state);
    const id = encodeURIComponent(meta.traces[Number(side)].trace_id);
    return new URL(`export/${id}/states.${form}?${queryOf(seen, language)}`, document.baseURI).href;
  }

  return createMenu(app, rows, address, words.states_export_note);
}
