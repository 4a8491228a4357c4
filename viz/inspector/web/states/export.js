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
  const rows = having.flatMap(({ side }) => {
    const whose = [words.first, words.second][side];
    return [
      {
        name: `states.${side}`,
        label: `${words.states_export} · ${whose}`,
        forms: [...FIGURES, ...NUMBERS],
        when: () => app.panes.find((pane) => pane.side === side)?.values() !== undefined,
      },
      { name: `whole.${side}`, label: `${words.states_whole} · ${whose}`, forms: ["html", "npz"] },
    ];
  });

  /**
   * @param {PairState} state
   * @param {string} name
   * @param {string} form
   */
  function address(state, name, form) {
    const [what, side] = name.split(".");
    const { position: _, unit, ...seen } = app.selection(state);
    const pane = app.panes.find((pane) => pane.side === Number(side));
    const shown = pane?.values() === undefined ? {} : seen; // all of it opens on what there is
    const id = encodeURIComponent(meta.traces[Number(side)].trace_id);
    const position = (pane?.tokenAt(state.place) ?? -1) + 1 || null;
    const opened =
      what === "whole" && shown === seen ? { ...seen, position, unit: pane?.unit() === -1 ? null : unit } : shown;
    return new URL(`export/${id}/states.${form}?${queryOf(opened, language)}`, document.baseURI).href;
  }

  return createMenu(app, rows, address, words.states_export_note);
}
