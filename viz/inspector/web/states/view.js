// @ts-check
// What the states of one trace and those of two have in common: another layer is shown once its
// numbers are here.
import { h, text } from "../views/dom.js";
import { visible } from "../data/text.js";
import { Drawn } from "../drawn.js";
import { along } from "../keys.js";
import { settleStates, statesSelection } from "./chosen.js";

/** @import { Child, Store, Ui, Wanted } from "../types" */
/** @import { Recording, Settled, Shaped, Stack } from "./types" */

/** Whether they are vectors of tokens, as those of a skip-gram, which are carried nowhere. */
export const areStill = (/** @type {Recording[]} */ recordings) =>
  recordings.every(({ names }) => names.join() === "vector");

/**
 * A subclass has order().
 * @template {Settled & { hover: unknown, pointed: boolean }} State
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

  /**
   * Puts the parts of a page into its place.
   * @param {Recording[]} recordings
   * @param {Child[]} bar beside its title
   * @param {Child[]} parts beneath it
   */
  assemble(recordings, bar, ...parts) {
    const { problem, words } = this;
    const named = areStill(recordings) ? words.states_vectors : words.states_title;
    const top = h("div", { class: "hl-states-bar" }, h("h2", { class: "hl-title" }, named), ...bar);
    this.fill(named, top, problem, ...parts);
    this.hears((event) => this.key(event));
  }

  selection(state = this.store.get()) {
    return statesSelection(state);
  }

  /**
   * Units as they are drawn, from above.
   * @returns {number[]}
   */
  order() {
    throw new Error("states of nothing");
  }

  /** The chosen unit, or the one that stands first. */
  unit() {
    return this.store.get().unit ?? this.order()[0];
  }

  /**
   * Keys lead along the steps, and along the units while a heatmap has the focus.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("select, input")) return;
    const { position, stack } = this.store.get();
    const last = this.model.keys(stack).length - 1;
    const order = this.order();
    const row = order.indexOf(this.unit());
    const onHeat = target?.matches(".hl-states-surface");
    /** @type {Record<string, { position: number } | { unit: number } | false | undefined>} */
    const places = {
      ArrowLeft: { position: Math.max(0, position - 1) },
      ArrowRight: { position: Math.min(last, position + 1) },
      Home: { position: 0 },
      End: { position: last },
      ArrowUp: onHeat && { unit: order[Math.max(0, row - 1)] },
      ArrowDown: onHeat && { unit: order[Math.min(order.length - 1, row + 1)] },
    };
    for (const [name, to] of Object.entries(along(target, position)))
      places[name] = { position: Math.min(Math.max(to, 0), last) };
    const place = places[event.key];
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    this.store.set(/** @type {Partial<State>} */ ({ ...place, hover: null, pointed: false }));
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
    const chosen = settleStates({ ...this.selection(), ...all }, this.model);
    this.store.set(/** @type {Partial<State>} */ ({ ...chosen, hover: null }));
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
