// @ts-check
// Curves as SVG.

/** @typedef {[number, number | null]} Point a place and the value there, null where it cannot be said */
/** @typedef {(value: number) => number} Scale */

const NS = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {(string | Node)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Points that have a value. */
export const known = (/** @type {Point[]} */ points) =>
  /** @type {[number, number][]} */ (points.filter(([, value]) => value !== null));

/**
 * A path through those that have a value.
 * @param {Point[]} points
 * @param {Scale} x
 * @param {Scale} y
 */
export const line = (points, x, y) =>
  known(points)
    .map(([place, value], at) => `${at ? "L" : "M"}${x(place).toFixed(2)},${y(value).toFixed(2)}`)
    .join("");
