// @ts-check
// What the cells of a film hold: weights of the present milestone, or what has changed since
// another one.
import { ExactHeads, lessSure } from "../data/exact.js";
import { largest, Memo, reach } from "../views/paint.js";

/** @import { Shade, Shown, Small, Store, Theme } from "../types" */
/** @import { FilmState } from "./types" */
/** @import { Reel } from "./reel.js" */

/**
 * Cell by cell `now` minus `then`.
 * @param {Float32Array} now
 * @param {Float32Array} then
 */
export function minus(now, then) {
  const out = new Float32Array(now.length);
  for (let at = 0; at < out.length; at += 1) out[at] = now[at] - then[at];
  return out;
}

export class Pictures {
  /**
   * @param {Reel} reel
   * @param {Store<FilmState>} store
   * @param {() => void} arrived called when exact numbers of a head arrive or fail
   */
  constructor(reel, store, arrived) {
    this.reel = reel;
    this.store = store;
    this.arrived = arrived;
    /** @type {Map<number, ExactHeads>} */
    this.exact = new Map();
    this.differences = new Memo(8);
  }

  /**
   * The exact numbers of one milestone.
   * @param {number} index
   */
  heads(index) {
    const heads = this.exact.get(index) ?? new ExactHeads(this.reel.models[index], this.arrived);
    this.exact.set(index, heads);
    return heads;
  }

  /**
   * Asks for the exact numbers of what is shown, and for none of what was passed by.
   * @param {FilmState} state
   */
  want({ kind, layer, head, milestone, compare, view }) {
    const wanted = view === "maps" ? [milestone] : [milestone, compare];
    this.exact.forEach((heads, index) => {
      if (!wanted.includes(index)) heads.stop();
    });
    wanted.forEach((index) => this.heads(index).want(kind, layer, head));
  }

  /**
   * {weights, scores, shares, status} of the chosen head at a milestone; packed until the floats are here.
   * @param {number} index
   */
  head(index) {
    const { kind, layer, head } = this.store.get();
    return this.heads(index).head(kind, layer, head);
  }

  /**
   * @param {FilmState} state
   * @returns {Shown}
   */
  shown({ kind, layer, head, milestone, compare, view }) {
    const now = this.head(milestone);
    if (view === "maps") return { values: now.weights, status: now.status };
    const then = this.head(compare);
    const status = lessSure(now.status, then.status);
    const key = [kind, layer, head, milestone, now.status, compare, then.status].join();
    return { values: this.differences.get(key, () => minus(now.weights, then.weights)), status };
  }

  /**
   * @param {FilmState} state
   * @param {number} layer
   * @param {number} head
   * @returns {Small}
   */
  small({ kind, milestone, compare, view }, layer, head) {
    const now = this.reel.models[milestone].small(kind, layer, head);
    if (view === "maps") return now;
    return { ...now, values: minus(now.values, this.reel.models[compare].small(kind, layer, head).values) };
  }

  /**
   * Weights from 0 to 1; differences from -1 to 1, with 0 in the middle.
   * @param {FilmState} state
   * @param {Float32Array} values
   * @param {Theme} theme
   * @returns {Shade}
   */
  shade({ kind, view, stretch }, values, theme) {
    if (view === "maps") return { table: theme.scales[kind], low: 0, high: stretch ? largest(values) : 1 };
    const most = stretch ? reach(values) : 1;
    return { table: theme.diverging, low: -most, high: most };
  }

  stop() {
    this.exact.forEach((heads) => heads.stop());
  }
}
