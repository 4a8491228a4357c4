// @ts-check
// What a film holds: a model (../model.js) a milestone, all of the same tokens and heads, and
// what the run reported on its way.
import { optionsOf, settleOptions } from "../options.js";
import { Model } from "../data/model.js";
import { tokensOf } from "../data/tokens.js";
import { settle } from "../store.js";

/** @import { Kind, Meta, Wanted } from "../types" */
/** @import { FilmMeta, Point, Settled } from "./types" */

/** @type {Settled["view"][]} */
export const VIEWS = ["maps", "difference"];
export const OPTIONS = ["stretch"];
export const SPEEDS = [0.5, 1, 2, 4]; // 1 is left out of an address

export class Reel {
  /**
   * @param {FilmMeta} meta
   * @param {Uint8Array} bytes of all milestones
   */
  constructor(meta, bytes) {
    this.meta = meta;
    const { source, read, written, ui } = meta;
    this.models = meta.milestones.map(
      ({ sites, trace_id: id }) =>
        new Model(/** @type {Meta} */ ({ source, read, written, ui, sites, trace_id: id }), bytes),
    );
    this.steps = meta.milestones.map(({ step }) => step);
    this.outputs = meta.milestones.map(({ output }) => tokensOf(output, ui.text));
    this.finished = meta.milestones.map(({ finished }) => finished);
    this.losses = meta.milestones.map(({ loss }) => loss);
  }

  get count() {
    return this.models.length;
  }

  /**
   * A trait of one head at every milestone.
   * @param {Kind} kind
   * @param {string} name
   * @param {number} layer
   * @param {number} head
   */
  trait(kind, name, layer, head) {
    return this.models.map((model) => model.trait(kind, name, layer, head));
  }

  /**
   * One packed weight at every milestone.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number} cell
   */
  weightsAt(kind, layer, head, cell) {
    return this.models.map((model) => model.weights(kind, layer, head)[cell]);
  }

  /**
   * Where a step lies between the milestones: 0 for the first, 1 for the second, ...
   * @param {number} step
   */
  place(step) {
    const { steps } = this;
    const after = steps.findIndex((at) => at >= step);
    if (after < 0) return steps.length - 1;
    if (steps[after] === step || after === 0) return after;
    const log = (/** @type {number} */ value) => Math.log1p(value);
    return after - 1 + (log(step) - log(steps[after - 1])) / (log(steps[after]) - log(steps[after - 1]));
  }

  /**
   * The last of [step, value] points that the run had reported by a milestone, or null.
   * @param {Point[]} points
   * @param {number} index
   */
  reported(points, index) {
    const past = points.filter(([step]) => step <= this.steps[index]);
    return past.at(-1) ?? null;
  }
}

/**
 * A selection that fits the film, from one that may not. Outside, layers, heads and pinned
 * cells count from 1, and milestones are named by their step; inside, all count from 0.
 * @param {Wanted} wanted
 * @param {Reel} reel
 * @returns {Settled}
 */
export function settleReel(wanted, reel) {
  const { kind, layer, head, pinned } = settle(wanted, reel.models[0]);
  const found = (/** @type {unknown} */ step, /** @type {number} */ otherwise) =>
    reel.steps.includes(Number(step)) ? reel.steps.indexOf(Number(step)) : otherwise;
  return {
    kind,
    layer,
    head,
    pinned,
    stretch: settleOptions(wanted, reel.models[0], kind, OPTIONS).stretch,
    step: null, // every row is shown
    speed: SPEEDS.find((speed) => String(speed) === wanted.speed) ?? 1,
    loop: wanted.loop === "on",
    milestone: found(wanted.milestone, reel.count - 1),
    compare: found(wanted.compare, 0),
    view: VIEWS.find((view) => view === wanted.view) ?? VIEWS[0],
  };
}

/**
 * The selection as Python and the URL know it. One milestone alone says nothing of what a longer film is
 * to be compared with.
 * @param {Settled} state
 * @param {Reel} reel
 */
export function selectionOf(state, reel) {
  return {
    kind: state.kind,
    layer: state.layer + 1,
    head: state.head + 1,
    milestone: reel.steps[state.milestone],
    ...(reel.count > 1 && { compare: reel.steps[state.compare] }),
    view: state.view,
    pinned: state.pinned === null ? null : state.pinned.map((at) => at + 1),
    speed: state.speed === 1 ? null : String(state.speed),
    loop: state.loop ? "on" : null,
    ...optionsOf(state, OPTIONS),
  };
}
