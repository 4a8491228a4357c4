// What is chosen of a pair, inside and outside. Outside, layers, heads and cells count from 1,
// and a pinned cell is one of the first look's pieces; inside, all count from 0, and cells are
// places of what is shown, pieces or words.
import { looksOf, settleLooks } from "../looks.js";
import { settle } from "../store.js";

export const LOOKS = ["words", "stretch"];
const HEAD = /^([1-9]\d{0,3})\.([1-9]\d{0,3})$/;

/** The two as they are shown: in pieces, or in words where there are any of several pieces. */
export const seenOf = (both, { words }) => (words && both.inWords) || both;

/** A selection that fits two looks, from one that may not. */
export function settlePair(wanted, both) {
  const { kind, layer, head } = settle({ ...wanted, pinned: null }, both);
  const own = HEAD.exec(wanted.other ?? "");
  const second = both.models[1].sites.get(kind);
  const other = own && Number(own[1]) <= second.layers && Number(own[2]) <= second.heads ? [own[1] - 1, own[2] - 1] : null;
  const { stretch, words } = settleLooks(wanted, both.models[0], kind, LOOKS);
  const cell = settle({ kind, pinned: wanted.pinned }, both.models[0]).pinned;
  const seen = seenOf(both, { words });
  const pinned = cell && seen.placeOf(kind, 0, seen.models[0].shownAt(kind, cell));
  return { kind, layer, head, other, pinned, stretch, words };
}

/** The selection as Python and the URL know it. */
export function selectionOf(state, both) {
  const { kind, layer, head, other, pinned } = state;
  const seen = seenOf(both, state);
  const shown = pinned && seen.cellAt(kind, 0, pinned);
  const cell = shown && seen.models[0].pieceAt(kind, shown);
  return {
    kind,
    layer: layer + 1,
    head: head + 1,
    other: other === null ? "same" : other.map((at) => at + 1).join("."),
    pinned: cell && Math.min(...cell) >= 0 ? cell.map((at) => at + 1) : null,
    ...looksOf(state, LOOKS),
  };
}
