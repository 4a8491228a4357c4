// @ts-check
// One step laid out: each gate's products and what comes of them, for all units as bands, for the
// chosen one in numbers.
import { h, text, tokenNode } from "../views/dom.js";
import { bitmap, pixels, prepare, reach as farthest } from "../views/paint.js";
import { format, fragment } from "../data/text.js";
import { formulasOf, lowered, number, written } from "./formulas.js";

/** @import { Formula } from "./types" */
/** @import { States } from "./states.js" */

const BAND = 13;
const isProduct = (/** @type {string} */ part) => /_[xh]$/.test(part);

/** @param {States} app */
export function createArithmetic(app) {
  const { words } = app;
  const heading = h("h3", { class: "hl-sub", "data-testid": "hl-states-step" });
  const lines = h("div", { class: "hl-states-lines" });
  const note = h("p", { class: "hl-note" });
  const element = h("section", { class: "hl-states-step" }, heading, lines, note);
  /** @type {Line[]} */
  let drawn = [];
  let names = "";

  function build() {
    const now = app.model.of(app.store.get().stack).names;
    if (names === now.join()) return;
    names = now.join();
    drawn = formulasOf(now).map((formula) => new Line(app, formula));
    lines.replaceChildren(...drawn.map((line) => line.element));
    element.hidden = drawn.length === 0;
  }

  function render() {
    build();
    const state = app.store.get();
    const tokens = app.model.keys(state.stack);
    const place = { step: state.position + 1, steps: tokens.length, unit: app.unit() + 1 };
    heading.replaceChildren(fragment(format(words.states_step, place), { token: tokenNode(tokens[state.position]) }));
    drawn.forEach((line) => line.render());
    const most = drawn.length ? Math.max(...drawn.map((line) => line.most)) : 1;
    text(note, format(words.states_note, { most: most.toFixed(1) }));
  }

  return { element, render, drawn: () => drawn.map((line) => line.said.textContent) };
}

/** A gate or state: its formula, its numbers, a band for each part. */
class Line {
  /**
   * @param {States} app
   * @param {Formula} formula
   */
  constructor(app, formula) {
    this.app = app;
    this.formula = formula;
    this.most = 1;
    this.said = h("span", { class: "hl-number hl-states-said" });
    this.bands = formula.parts.map(([label, part]) => {
      const canvas = h("canvas", { "aria-hidden": "true" });
      const surface = h("div", { class: "hl-states-band" }, canvas);
      const value = h("span", { class: "hl-number" });
      surface.onclick = (event) => this.pick(surface, event);
      return { part, canvas, surface, value, label: h("span", {}, lowered(label)) };
    });
    const rows = this.bands.flatMap(({ label, surface, value }) => [label, surface, value]);
    this.element = h(
      "div",
      { class: "hl-states-line", "data-name": formula.name },
      h("div", { class: "hl-states-formula" }, h("span", {}, lowered(formula.formula)), this.said),
      h("div", { class: "hl-states-bands" }, ...rows),
    );
  }

  /** @type {(surface: HTMLElement, event: MouseEvent) => void} */
  pick(surface, event) {
    const order = this.app.order();
    const { left, width } = surface.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * order.length);
    this.app.store.set({ unit: order[Math.min(Math.max(at, 0), order.length - 1)] });
  }

  render() {
    const { app, bands } = this;
    const [order, unit] = [app.order(), app.unit()];
    const vectors = bands.map(({ part }) => app.vector(part));
    // Products share a scale; what comes of them goes to 1, as in the picture, or as far as it goes.
    this.most = Math.max(1, ...vectors.filter((_, at) => isProduct(bands[at].part)).map(farthest));
    text(
      this.said,
      written(this.formula.numbers, (name) => app.vector(name)[unit]),
    );
    bands.forEach(({ canvas, surface, value }, index) => {
      const vector = vectors[index];
      text(value, number(vector[unit]));
      const [width] = app.sizes.of(surface);
      if (width === 0) return;
      const context = prepare(canvas, width, BAND);
      const points = pixels(order.length, width);
      const values = Float32Array.from(order, (at) => vector[at]);
      const far = isProduct(bands[index].part) ? this.most : Math.max(1, farthest(vector));
      const shade = { table: app.theme.diverging, low: -far, high: far };
      context.imageSmoothingEnabled = false;
      context.drawImage(bitmap(values, 1, order.length, 1, points, shade), 0, 0, width, BAND);
      const at = order.indexOf(unit);
      if (at < 0) return;
      const cell = width / order.length;
      context.strokeStyle = app.theme.text;
      context.lineWidth = 1.5;
      context.strokeRect(at * cell, 0.75, Math.max(cell, 3), BAND - 1.5);
    });
  }
}
