// @ts-check
// The tokens on both sides of the lines, as many as are legible: first what is spoken of, and the other ends of
// its largest weights.
import { drawLabel, sized, stride } from "./labels.js";

/** @import { Drawing, Label, Theme } from "../types" */

const ROOM = 16; // pixels of a name
const FEW = 6; // other ends that are named

/**
 * Of places with their weights the largest few, none so near to one that is named already that both would not
 * be legible.
 * @param {[number, number][]} ends place and weight
 * @param {number} gap pixels between places
 * @param {number[]} named
 */
export function nameable(ends, gap, named) {
  if (gap >= ROOM) return []; // all are
  const out = named.filter((at) => at >= 0);
  const first = out.length;
  for (const [place] of ends.toSorted((one, other) => other[1] - one[1])) {
    if (out.length === first + FEW) break;
    if (out.every((other) => Math.abs(other - place) * gap >= ROOM)) out.push(place);
  }
  return out.slice(first);
}

/**
 * @param {Drawing} context
 * @param {Theme} theme
 * @param {{
 *   labels: Label[], from: number, to: number, y: (index: number) => number, gap: number, x: number,
 *   align: "left" | "right", chosen: number[], ends: [number, number][], colour: (index: number) => string,
 * }} side the first in view and the first beyond; what is spoken of, and the other ends of its lines
 */
export function drawSide(context, theme, { labels, from, to, y, gap, x, align, chosen, ends, colour }) {
  const every = stride(gap, ROOM);
  const own = new Set(chosen);
  const named = [...chosen, ...nameable(ends, gap, chosen)].filter((at) => at >= 0);
  context.font = `14px ${theme.font}`;
  for (let index = from; index < to; index += 1) {
    const near = !named.includes(index) && named.some((other) => Math.abs(index - other) * gap < ROOM);
    if (near || (!named.includes(index) && (index - from) % every)) continue;
    if (own.has(index)) context.font = `600 14px ${theme.font}`;
    const label = own.has(index) ? sized(labels[index], context) : labels[index];
    drawLabel(context, label, x, y(index), align, named.includes(index) ? theme.text : colour(index), theme);
    if (own.has(index)) context.font = `14px ${theme.font}`;
  }
}
