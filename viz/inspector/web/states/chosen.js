// @ts-check
// What is chosen of states: as it fits a trace, and as Python and the address know it.
import { drawable } from "./formulas.js";

/** @import { Wanted } from "../types" */
/** @import { Settled, Shaped, Units } from "./types" */

/** @type {Units[]} */
export const UNITS = ["most", "varying", "model"];
export const FEW = 32; // units that are drawn at first

/**
 * A place that counts from 1, or null.
 * @param {unknown} value
 * @param {number} count of all
 */
function place(value, count) {
  const at = Number(value);
  return Number.isInteger(at) && at >= 1 && at <= count ? at - 1 : null;
}

/**
 * A selection that fits the trace, from one that may not. Outside, all count from 1.
 * @param {Wanted} wanted
 * @param {Shaped} model
 * @returns {Settled}
 */
export function settleStates(wanted, model) {
  const stack = model.stacks.find((one) => one === wanted.stack) ?? model.stacks[0];
  const { layers, names, units } = model.of(stack);
  const own = drawable(names);
  const steps = model.keys(stack).length;
  return {
    stack,
    layer: place(wanted.stack_layer, layers) ?? 0,
    name: own.find((name) => name === wanted.state) ?? own[0],
    position: place(wanted.position, steps) ?? model.defaultPosition(stack),
    unit: place(wanted.unit, units),
    units: UNITS.find((one) => one === wanted.units) ?? UNITS[0],
  };
}

/**
 * @param {Settled} state
 * @returns {Wanted}
 */
export function statesSelection({ stack, layer, name, position, unit, units }) {
  return {
    stack,
    stack_layer: layer + 1,
    state: name,
    position: position + 1,
    unit: unit === null ? null : String(unit + 1),
    units: units === UNITS[0] ? null : units,
  };
}

/**
 * Units by how much each varies over the steps, most first; ties stay in place.
 * @param {Float32Array} values (position, unit)
 * @param {number} units
 * @param {boolean} fromZero by how far each goes from 0: of differences
 */
export function varying(values, units, fromZero = false) {
  const steps = values.length / units;
  const spread = Array.from({ length: units }, (_, unit) => {
    let [sum, squares] = [0, 0];
    for (let at = unit; at < values.length; at += units) {
      sum += values[at];
      squares += values[at] * values[at];
    }
    return squares / steps - (fromZero ? 0 : (sum / steps) ** 2);
  });
  return Array.from(spread.keys()).sort((one, other) => spread[other] - spread[one]);
}
