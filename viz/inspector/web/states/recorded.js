// @ts-check
// States and gates of a trace, fetched a layer at a time: content-addressed GETs, no rerun.
import { tokensOf } from "../data/tokens.js";
import { stepInView } from "../together.js";

/** @import { Ask } from "../types" */
/** @import { Shaped, Stack, StatesMeta } from "./types" */
/** @typedef {Map<string, Float32Array>} Layer (position, unit) by name */

export class Recorded {
  /**
   * @param {StatesMeta} meta
   * @param {Ask} ask
   */
  constructor(meta, ask) {
    this.meta = meta;
    this.ask = ask;
    this.stacks = meta.states.map(({ stack }) => stack);
    this.tokens = {
      encoder: tokensOf(meta.source, meta.ui.text),
      decoder: tokensOf(meta.read, meta.ui.text),
    };
    /** @type {Map<string, Layer>} */
    this.here = new Map();
  }

  /** @type {Shaped["of"]} */
  of(stack) {
    const found = this.meta.states.find((recording) => recording.stack === stack);
    if (!found) throw new Error(`no ${stack}`);
    return found;
  }

  /** @type {Shaped["keys"]} */
  keys(stack) {
    return this.tokens[/** @type {Stack} */ (stack)];
  }

  /** @type {Shaped["defaultPosition"]} the decoder's in view, else the last */
  defaultPosition(stack) {
    const step = stack === "decoder" ? stepInView(this.meta.trace_id) : null;
    return step ?? this.keys(stack).length - 1;
  }

  /** @type {(stack: Stack, layer: number) => Layer | undefined} */
  at(stack, layer) {
    return this.here.get(`${stack}/${layer}`);
  }

  /**
   * Fetches a layer, unless it is here. Body of states/{stack}/{layer} (from 0): float32, (position,
   * unit) of one name behind the other.
   * @param {Stack} stack
   * @param {number} layer
   */
  async load(stack, layer) {
    if (this.at(stack, layer)) return;
    const body = await this.ask(this.meta.trace_id, `states/${stack}/${layer}`);
    const { names, units } = this.of(stack);
    const size = units * this.keys(stack).length;
    if (body.byteLength !== 4 * size * names.length) throw new Error(`${body.byteLength} bytes for ${stack}/${layer}`);
    const parts = names.map(
      (name, index) => /** @type {const} */ ([name, new Float32Array(body, 4 * size * index, size)]),
    );
    this.here.set(`${stack}/${layer}`, new Map(parts));
  }
}
