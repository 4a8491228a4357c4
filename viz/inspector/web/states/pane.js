// @ts-check
// One of the pictures of a comparison of states: of the first trace, of the second, or their difference.
// It has places where the comparison has them, and tokens where its trace does.
import { createScale, h, text } from "../views/dom.js";
import { paintBar } from "../views/colour.js";
import { format } from "../data/text.js";
import { createHeat } from "./heat.js";
import { number } from "./formulas.js";

/** @import { Theme } from "../types" */
/** @import { Heated, HeatState, Stack } from "./types" */
/** @import { StatesPair } from "./pair.js" */

export const DIFFERENCE = 2;

/** @implements {Heated} */
export class Pane {
  /**
   * @param {StatesPair} app
   * @param {number} side 0, 1, or `DIFFERENCE`
   * @param {string} title
   */
  constructor(app, side, title) {
    this.live = app.live;
    this.sizes = app.sizes;
    this.words = app.words;
    this.app = app;
    this.side = side;
    /** @type {Heated["model"]} */
    this.model = side === DIFFERENCE ? app.model : app.model.models[side];
    this.store = { get: () => this.seen(), set: (/** @type {Partial<HeatState>} */ patch) => this.choose(patch) };
    this.heat = createHeat(this, `hl-states-${["a", "b", "minus"][side]}`, title);
    this.scale = createScale();
    this.missing = h("p", { class: "hl-note" });
    this.picture = h("div", { class: "hl-states-picture" }, this.heat.element);
    this.element = h(
      "div",
      { class: "hl-side" },
      h("div", { class: "hl-states-under" }, h("h3", { class: "hl-sub" }, title), this.scale.element),
      this.picture,
      this.missing,
    );
  }

  get theme() {
    return this.app.theme;
  }

  /**
   * The token in a place, -1 where this trace has none.
   * @param {number} place
   */
  tokenAt(place) {
    const { stack } = this.app.store.get();
    return this.side === DIFFERENCE ? place : this.app.model.alignment[stack][place][this.side];
  }

  /**
   * Where a token stands.
   * @param {number} token
   */
  placeOf(token) {
    const { stack } = this.app.store.get();
    if (this.side === DIFFERENCE) return token;
    return this.app.model.alignment[stack].findIndex((pair) => pair[this.side] === token);
  }

  /** @returns {HeatState} */
  seen() {
    const { hover, pointed, position, stack } = this.app.store.get();
    const shared = hover && (this.app.model.alike || hover.side === this.side) ? hover : null;
    return {
      stack,
      position: this.tokenAt(position),
      hover: shared && [shared.at[0], this.tokenAt(shared.at[1])],
      pointed,
    };
  }

  /** @param {Partial<HeatState>} patch */
  choose({ unit, position, hover, pointed }) {
    const { store } = this.app;
    if (hover !== undefined) {
      store.set({
        hover: hover && { side: this.side, at: [hover[0], this.placeOf(hover[1])] },
        pointed: pointed ?? false,
      });
    }
    if (position !== undefined) store.set({ position: this.placeOf(position) });
    if (unit !== undefined && (this.app.model.alike || this.side === this.app.leading())) store.set({ unit });
  }

  values() {
    const { layer, name, stack } = this.app.store.get();
    if (this.side === DIFFERENCE) return this.app.model.minus(stack, layer, name);
    return this.app.model.models[this.side].at(stack, layer)?.get(name);
  }

  order() {
    return this.app.order(this.side);
  }

  /** The chosen unit; -1 where it is the other's. */
  unit() {
    return this.app.model.alike || this.side === this.app.leading() ? this.app.unit() : -1;
  }

  reach() {
    return this.app.reach(this.side === DIFFERENCE);
  }

  /**
   * A cell of it.
   * @param {number} unit
   * @param {number} place
   */
  at(unit, place) {
    const [values, token] = [this.values(), this.tokenAt(place)];
    if (!values || token < 0) return null; // it may not even have such a stack
    const { units } = this.model.of(/** @type {Stack} */ (this.app.store.get().stack));
    return values[token * units + unit];
  }

  render() {
    const { layer, name } = this.app.store.get();
    const here = this.values() !== undefined;
    this.picture.hidden = !here;
    const missing = format(this.words.states_not_here, { state: this.app.named(name), layer: layer + 1 });
    text(this.missing, here ? "" : missing);
    this.scale.element.hidden = !here;
    if (!here) return;
    text(this.scale.low, number(-this.reach()).replace(/\.?0+$/, ""));
    text(this.scale.high, number(this.reach()).replace(/\.?0+$/, ""));
    this.heat.render();
  }

  /** @param {Theme} theme */
  paint(theme) {
    paintBar(this.scale.bar, theme.diverging);
  }
}
