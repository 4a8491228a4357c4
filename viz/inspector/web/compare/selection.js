// @ts-check
// What is chosen of a pair, inside and outside. Outside, layers, heads and cells count from 1,
// and a pinned cell is one of the first trace's pieces, or `place` says where it is among the pieces
// of both; inside, all count from 0, and cells are places of what is shown, pieces or words.
import { optionsOf, pair, sayPair, settleOptions } from "../options.js";
import { settle } from "../store.js";

/** @import { Kind, Wanted } from "../types" */
/** @import { Model } from "../data/model.js" */
/** @import { Both } from "./both.js" */
/** @import { PairSelection, Seen, Settled } from "./types" */

export const OPTIONS = ["words", "stretch"];
const AXES = /** @type {const} */ (["rowPairs", "columnPairs"]);

/**
 * The two as they are shown: in pieces, or in words where there are any of several pieces.
 * @param {Both<Model>} both
 * @param {Pick<Settled, "words">} state
 * @returns {Seen}
 */
export const seenOf = (both, { words }) => (words && both.inWords) || both;

/**
 * A place of one in another, -1 where that has none: of pieces in words, or the other way. By what
 * the second has there: pieces of two words may stand in one place where the words do not, and
 * what is placed is no cell of the first.
 * @param {Seen} from
 * @param {Seen} to
 * @param {Kind} kind
 * @param {number[]} place
 * @param {(side: number, own: number[]) => number[]} cellOf
 */
function placed(from, to, kind, place, cellOf) {
  return AXES.map((pairs, axis) => {
    const own = from[pairs](kind)[place[axis]];
    if (!own) return -1;
    const side = own[1] >= 0 ? 1 : 0;
    const at = cellOf(side, [own[side], own[side]])[axis];
    return to.placeOf(kind, side, [at, at])[axis];
  });
}

/**
 * The pinned place: that of a cell of the first trace, else the one that is named.
 * @param {Wanted & { kind: Kind }} wanted
 * @param {Both<Model>} both
 * @param {Seen} seen
 */
function pinnedPlace({ kind, pinned, place }, both, seen) {
  const cell = settle({ kind, pinned }, both.models[0]).pinned;
  if (cell) return seen.placeOf(kind, 0, seen.models[0].shownAt(kind, cell));
  const named = pair(String(place ?? ""));
  const found = named && placed(both, seen, kind, named, (side, own) => seen.models[side].shownAt(kind, own));
  return found && Math.min(...found) >= 0 ? found : null;
}

/**
 * A selection that fits two traces, from one that may not.
 * @param {Wanted} wanted
 * @param {Both<Model>} both
 * @returns {Settled}
 */
export function settlePair(wanted, both) {
  const { kind, layer, head } = settle({ ...wanted, pinned: null }, both);
  const own = pair(String(wanted.other ?? ""));
  const second = both.models[1].site(kind);
  const other = own && own[0] < second.layers && own[1] < second.heads ? own : null;
  const { stretch, words } = settleOptions(wanted, both.models[0], kind, OPTIONS);
  const pinned = pinnedPlace({ ...wanted, kind }, both, seenOf(both, { words }));
  return { kind, layer, head, other, pinned, stretch, words };
}

/**
 * The selection as Python and the URL know it.
 * @param {Settled} state
 * @param {Both<Model>} both
 * @returns {PairSelection}
 */
export function selectionOf(state, both) {
  const { kind, layer, head, other, pinned } = state;
  const seen = seenOf(both, state);
  const shown = pinned && seen.cellAt(kind, 0, pinned);
  const cell = shown && seen.models[0].pieceAt(kind, shown);
  const ofFirst = cell && Math.min(...cell) >= 0;
  const place =
    pinned && !ofFirst ? placed(seen, both, kind, pinned, (side, own) => seen.models[side].pieceAt(kind, own)) : null;
  return {
    kind,
    layer: layer + 1,
    head: head + 1,
    other: other === null ? "same" : sayPair(other),
    pinned: cell && ofFirst ? cell.map((at) => at + 1) : null,
    place: place && sayPair(place),
    .../** @type {Pick<PairSelection, "words" | "stretch">} */ (optionsOf(state, OPTIONS)),
  };
}
