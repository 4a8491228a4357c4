// @ts-check
// What the states of one trace and those of two have in common: another layer is shown once its
// numbers are here.
import { h, text } from "../views/dom.js";
import { visible } from "../data/text.js";
import { Drawn } from "../drawn.js";
import { settleStates } from "./chosen.js";

/** @import { Store, Ui, Wanted } from "../types" */
/** @import { Settled, Shaped, Stack } from "./types" */

/**
 * A subclass has selection() and choose(patch).
 * @template {object} State
 * @template {Shaped & { load(stack: Stack, layer: number): Promise<unknown> }} Recordings
 * @extends {Drawn<State>}
 */
export class StatesView extends Drawn {
  /**
   * @param {HTMLElement} root
   * @param {Recordings} model
   * @param {Store<State>} store
   * @param {{ ui: Ui }} meta
   */
  constructor(root, model, store, meta) {
    super(root, store, meta);
    this.meta = meta;
    this.model = model;
    /** @type {Wanted | null} */
    this.awaited = null; // what is to be shown once its numbers are here
    /** @type {Map<string, number[]>} */
    this.orders = new Map();
    this.problem = h("p", { class: "hl-note hl-problem", role: "status" });
  }

  /** @returns {Wanted} */
  selection() {
    throw new Error("states of nothing");
  }

  /** @param {Partial<Settled> & { hover?: null, pointed?: boolean }} _patch */
  choose(_patch) {
    throw new Error("states of nothing");
  }

  /**
   * What the next choice is added to, of one whose numbers are not here yet: of another stack all, since
   * no step in view is its own; else the layer.
   * @returns {Wanted}
   */
  pending() {
    const { stack, stack_layer } = this.awaited ?? {};
    if (this.awaited && stack && stack !== this.selection().stack) return this.awaited;
    return stack_layer ? { stack_layer } : {};
  }

  /**
   * Takes over what was chosen elsewhere, or another layer, once its numbers are here; what is chosen
   * meanwhile stays, unless it is another layer again.
   * @param {Wanted} wanted
   */
  async adopt(wanted) {
    const all = { ...this.pending(), ...wanted };
    this.awaited = all;
    const { stack, layer } = settleStates({ ...this.selection(), ...all }, this.model);
    const missing = await this.model.load(stack, layer).catch((/** @type {unknown} */ error) => error);
    if (missing) console.warn(missing);
    if (this.awaited !== all) return;
    this.awaited = null;
    if (missing) return text(this.problem, this.words.states_missing);
    text(this.problem, "");
    this.choose({ ...settleStates({ ...this.selection(), ...all }, this.model), hover: null });
  }

  /**
   * A state or gate as people call it; what is no cell's of ours, as its file does.
   * @param {string} name
   */
  named(name) {
    return this.words[`state_${name}`] ?? visible(name);
  }

  stop() {
    this.awaited = null;
    super.stop();
  }
}
