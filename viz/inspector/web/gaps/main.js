// @ts-check
// Entry of the gaps: a text with one, and what language models would write there.
import { mounting } from "../host.js";
import { createStore } from "../store.js";
import { GapsView } from "./gaps.js";

/** @import { Component, Wanted } from "../types" */
/** @import { GapsMeta, GapsState } from "./types" */

export const mount = mounting({
  sheets: ["style.css", "gaps/style.css"],
  testid: "hl-gaps",
  room: 420,
  parameters: ["gap"],
  shown: (/** @type {GapsMeta} */ { gaps_id: id }) => id,
  prepare: async (/** @type {Component<{ meta: GapsMeta }>} */ { source }) => source !== undefined,
  open,
});

/**
 * @param {HTMLElement} root
 * @param {{ meta: GapsMeta }} data
 * @param {Wanted | null} wanted
 * @param {GapsView | null} earlier
 * @param {boolean} alone without a server behind it
 */
function open(root, { meta }, wanted, earlier, alone) {
  const last = meta.tokens.text.length - 3;
  const asked = Number(wanted?.gap ?? (earlier ? earlier.selection().gap : 1)) - 1;
  earlier?.stop();
  const gap = Math.min(Math.max(Number.isInteger(asked) ? asked : 0, 0), last);
  return new GapsView(root, meta, createStore(/** @type {GapsState} */ ({ gap })), alone);
}
