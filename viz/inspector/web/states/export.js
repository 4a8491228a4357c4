// @ts-check
// What a person exports of states: links to files of what is drawn, made by the server.
import { server } from "../data/source.js";
import { DIFFERENCE } from "./pane.js";
import { createMenu, FIGURES_AND_NUMBERS, fileAt } from "../views/menu.js";

/** @import { States } from "./states.js" */
/** @import { StatesPair } from "./pair.js" */
/** @import { PairState, StatesPairMeta, StatesState } from "./types" */

/**
 * A menu of files; null where the page has everything within itself and no server behind it.
 * @param {States} app
 */
export function createExport(app) {
  const { language, model, words } = app;
  if (model.ask !== server) return null;
  const id = encodeURIComponent(model.meta.trace_id);

  /** @type {(state: StatesState, name: string, form: string) => string} */
  function address(state, name, form) {
    const { position, unit, ...seen } = app.selection(state);
    const asked = {
      states: seen,
      next: { view: "next", step: position },
      whole: { ...seen, position, unit },
    }[name];
    const file = name === "next" ? "trace" : "states";
    return fileAt(`${id}/${file}.${form}`, { ...asked, lang: language });
  }

  const tells = (/** @type {StatesState} */ state) => app.tells(state);
  const rows = [
    { name: "states", label: words.states_export, forms: FIGURES_AND_NUMBERS },
    { name: "next", label: words.states_next, forms: FIGURES_AND_NUMBERS, when: tells },
    { name: "whole", label: words.states_whole, forms: ["html", "npz"] },
  ];
  return createMenu(app, rows, address, words.states_export_note);
}

/**
 * The same of two traces: a file is of both, or of one of them.
 * @param {StatesPair} app
 * @param {StatesPairMeta} meta
 */
export function createPairExport(app, meta) {
  const { language, model, words } = app;
  if (model.models.some(({ ask }) => ask !== server)) return null;
  const ids = meta.traces.map(({ trace_id: id }) => encodeURIComponent(id));
  const shown = (/** @type {number} */ side) => app.panes.find((pane) => pane.side === side)?.values() !== undefined;
  const same = { same_units: model.alike ? "on" : null };
  const rows = ["first", "second"].flatMap((name, side) =>
    model.models[side].stacks.length
      ? [
          {
            name: `states.${side}`,
            label: `${words.states_export} · ${words[name]}`,
            forms: FIGURES_AND_NUMBERS,
            when: () => shown(side),
          },
          { name: `whole.${side}`, label: `${words.states_whole} · ${words[name]}`, forms: ["html", "npz"] },
        ]
      : [],
  );
  const together = [
    {
      name: "states.both",
      label: `${words.states_export_pair} · ${words.states_both}`,
      forms: FIGURES_AND_NUMBERS,
      when: () => model.alike && shown(DIFFERENCE),
    },
    { name: "whole.both", label: `${words.states_whole} · ${words.states_both}`, forms: ["html"] },
  ];

  /** @type {(state: PairState, name: string, form: string) => string} */
  function address(state, name, form) {
    const [what, whose] = name.split(".");
    const { position, unit, ...seen } = app.selection(state);
    if (whose === "both") {
      const opened = what === "whole" ? { ...seen, position, unit } : seen;
      return fileAt(`${ids[0]}/beside/${ids[1]}/states.${form}`, { ...opened, ...same, lang: language });
    }
    const side = Number(whose);
    const pane = app.panes.find((pane) => pane.side === side);
    const token = (pane?.tokenAt(state.position) ?? -1) + 1 || null;
    const opens = { ...seen, position: token, unit: pane?.unit() === -1 ? null : unit };
    const asked = !shown(side) ? {} : what === "whole" ? opens : seen; // all of it opens on what there is
    return fileAt(`${ids[side]}/states.${form}`, { ...asked, lang: language });
  }

  return createMenu(app, [...together, ...rows], address, words.states_export_note);
}
