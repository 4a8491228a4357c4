// @ts-check
// The states of two traces laid over each other: a place holds a token of the first, of the second, or
// the two that belong together (viz/inspector/pair.py).
import { merged } from "../compare/both.js";

/** @import { Shaped, Stack } from "./types" */
/** @import { Recorded } from "./recorded.js" */

export class BothRecorded {
  /**
   * @param {Recorded[]} models the first and the second; one of them may have no states
   * @param {Pick<import("./types").StatesPairMeta, "alignment" | "same_units">} meta
   */
  constructor(models, { alignment, same_units: same }) {
    this.models = models;
    /** @type {import("./types").Heated["model"]["meta"]} */
    this.meta = { next: null, next_stack: "encoder" };
    this.alignment = alignment;
    this.stacks = /** @type {Stack[]} */ (["encoder", "decoder"]).filter((stack) => this.having(stack).length > 0);
    /** Is unit 7 of one unit 7 of the other? Then there is a difference. */
    this.alike =
      same &&
      this.stacks.every((stack) => {
        const [a, b] = models.map((model) => (model.stacks.includes(stack) ? model.of(stack) : null));
        return JSON.stringify(a) === JSON.stringify(b);
      });
  }

  /**
   * Those that have such a stack.
   * @param {Stack} stack
   */
  having(stack) {
    return this.models.filter((model) => model.stacks.includes(stack));
  }

  /** @type {Shaped["of"]} all that either has; units are those of the first that has any */
  of(stack) {
    const found = this.having(stack).map((model) => model.of(stack));
    return {
      stack,
      layers: Math.max(...found.map(({ layers }) => layers)),
      units: found[0].units,
      names: [...new Set(found.flatMap(({ names }) => names))],
    };
  }

  /** @type {Shaped["keys"]} what stands in the places of a stack */
  keys(stack) {
    const [a, b] = this.models.map((model) => model.keys(stack));
    return this.alignment[/** @type {Stack} */ (stack)].map(([one, other]) => merged(a[one], b[other]));
  }

  /** @type {Shaped["defaultPosition"]} */
  defaultPosition(stack) {
    return this.alignment[stack].length - 1;
  }

  /**
   * Fetches a layer of those that have it.
   * @param {Stack} stack
   * @param {number} layer
   */
  async load(stack, layer) {
    const having = this.having(stack).filter((model) => layer < model.of(stack).layers);
    await Promise.all(having.map((model) => model.load(stack, layer)));
  }

  /**
   * What the second has less the first, (place, unit), 0 where one has no such token; undefined where
   * either is not here.
   * @param {Stack} stack
   * @param {number} layer
   * @param {string} name
   */
  minus(stack, layer, name) {
    const [a, b] = this.models.map((model) => model.at(stack, layer)?.get(name));
    if (!a || !b) return undefined;
    const { units } = this.of(stack);
    const places = this.alignment[stack];
    const out = new Float32Array(places.length * units);
    places.forEach(([one, other], place) => {
      if (one < 0 || other < 0) return;
      for (let unit = 0; unit < units; unit += 1) {
        out[place * units + unit] = b[other * units + unit] - a[one * units + unit];
      }
    });
    return out;
  }
}
