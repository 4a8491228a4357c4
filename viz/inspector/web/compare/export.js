// @ts-check
// What a person exports of two traces: links to files of what is seen, made by the server.
import { sizeOf } from "../views/export.js";
import { allCellsOf, cellsOf, createMenu, FIGURES_AND_NUMBERS as forms, fileAt } from "../views/menu.js";

/** @import { Kind } from "../types" */
/** @import { Model } from "../data/model.js" */
/** @import { Seen } from "../data/seen.js" */
/** @import { PairState } from "./types" */
/** @import { Pair } from "./pair.js" */
/** @typedef {import("../views/menu.js").Row<PairState>} Row */

/**
 * A menu of files; null where the page has everything within itself and no server behind it.
 * @param {Pair} pair
 */
export function createExport(pair) {
  if (pair.alone) return null;
  const { words, traceIds } = pair;
  const cells =
    (/** @type {() => Seen} */ of) =>
    (/** @type {{ kind: Kind }} */ { kind }) =>
      allCellsOf(of().site(kind));
  /** @type {(name: string, trace: string, of: () => Seen, when?: Row["when"]) => Row} */
  const all = (name, trace, of, when) => ({
    name,
    label: `${words.export_grid} · ${trace}`,
    forms,
    when,
    cells: cells(of),
  });
  /** @type {(name: string, trace: string, of: () => Model) => Row} */
  const whole = (name, trace, of) => ({
    name,
    label: `${words.export_whole} · ${trace}`,
    forms: ["html", "compact", "npz"],
    size: (_, compact) => sizeOf([of()], compact, true),
  });
  /** @type {Row[]} */
  const rows = [
    { name: "pair", label: words.export_pair, forms, cells: ({ kind }) => cellsOf(pair.seen.site(kind)) },
    all(
      "changes",
      words.difference,
      () => pair.seen,
      ({ kind }) => pair.both.alike(kind),
    ),
    all("first", words.first, () => pair.seen.models[0]),
    all("second", words.second, () => pair.seen.models[1]),
    {
      name: "both",
      label: words.export_both,
      forms: ["html", "compact"],
      size: (_, compact) => sizeOf(pair.both.models, compact, false),
    },
    whole("whole_first", words.first, () => pair.both.models[0]),
    whole("whole_second", words.second, () => pair.both.models[1]),
  ];

  /**
   * @param {PairState} state
   * @param {string} name
   * @param {string} form
   */
  function address(state, name, form) {
    const { kind, layer, head, other, pinned, place, words: grouped, stretch } = pair.selection(state);
    const [first, second] = traceIds.map(encodeURIComponent);
    const [otherLayer, otherHead] = pair.headOf(state, 1).map((at) => at + 1);
    const seen = {
      path: `${first}/beside/${second}`,
      view: "head",
      layer,
      head,
      other,
      pinned: pinned?.join("."),
      place,
    };
    /** @type {Record<string, { path: string } & Record<string, unknown>>} */
    const own = {
      pair: seen,
      both: seen,
      changes: { path: `${first}/beside/${second}`, view: "grid" },
      first: { path: first, view: "grid", side: "a" },
      second: { path: second, view: "grid", side: "b" },
      whole_first: { path: first, layer, head, pinned: pinned?.join("."), side: "a" },
      whole_second: { path: second, layer: otherLayer, head: otherHead, side: "b" },
    };
    const { path, ...more } = own[name];
    return fileAt(`${path}/trace.${form}`, { kind, ...more, words: grouped, stretch, lang: pair.language });
  }

  return createMenu(pair, rows, address, words.export_pair_note);
}
