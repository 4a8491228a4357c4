// @ts-check
// Inspect: all heads, one of them large as a matrix and as lines, what comes next below.
import { createTable } from "./views/a11y.js";
import { h, text } from "./views/dom.js";
import { createFind } from "./views/find.js";
import { listen } from "./views/gestures.js";
import { Inspector } from "./inspector.js";
import { zoomKeys } from "./keys.js";
import { createSwitch } from "./views/kinds.js";
import { createLines } from "./views/lines.js";
import { createMatrix } from "./views/matrix.js";
import { createMinimap } from "./views/minimap.js";
import { holds } from "./data/part.js";
import { spoken } from "./views/tip.js";
import { createTrim } from "./views/trim.js";
import { createZoom } from "./views/zoom.js";

/** @import { Chosen, Meta, Store } from "./types" */
/** @import { Model } from "./data/model.js" */

const NEXT = 4; // candidates under the matrix

export class Inspect extends Inspector {
  /**
   * @param {HTMLElement} root
   * @param {Model} model
   * @param {Store<Chosen>} store
   * @param {Meta} meta
   * @param {boolean} alone
   */
  constructor(root, model, store, meta, alone) {
    super(root, model, store, meta, { alone, rows: NEXT });
    const { words } = this;
    const units = /** @type {const} */ (["pieces", "words"]).map((value) => ({
      value,
      label: words[`units_${value}`],
    }));
    const modes = /** @type {const} */ (["matrix", "lines"]).map((value) => ({ value, label: words[`view_${value}`] }));
    this.units =
      this.inWords &&
      createSwitch(words.units, units, "hl-units", (unit) =>
        store.set({ words: unit === "words", hover: null, found: null }),
      );
    this.modes = createSwitch(words.view, modes, "hl-modes", (mode) => store.set({ mode }));
    this.matrix = createMatrix(this, `${words.matrix_help} ${words.zoom_help}`);
    this.lines = createLines(this);
    this.zoom = createZoom(this, [this.matrix, this.lines]);
    this.find = createFind(this, this.zoom);
    this.minimap = createMinimap(this, this.matrix, this.zoom);
    this.matrix.element.append(this.minimap.element);
    if (this.zoom.on()) this.matrix.layout.corner = this.minimap.side;
    root.dataset.long = String(this.zoom.on());
    const { next, told } = model.meta;
    root.dataset.foot = next || told || model.steps ? "" : "short"; // nor a row of steps above
    this.ended = new AbortController();
    listen(this.zoom, this.matrix, this.ended.signal);
    listen(this.zoom, this.lines, this.ended.signal);
    this.trim = createTrim(this);
    this.table = createTable(this);
    this.trait = h("p", { class: "hl-note hl-traits", "data-testid": "hl-traits" });
    this.draws(
      "pointing",
      this.matrix.render,
      this.lines.render,
      this.minimap.render,
      this.zoom.render,
      this.find.render,
      (state) => this.point(state),
    );
    this.draws(
      "chosen",
      this.grid.render,
      this.order.render,
      this.steps.render,
      this.trim.render,
      this.table.render,
      (state) => text(this.trait, this.tell(state.kind, state.layer, state.head)),
    );
    this.assemble([this.columns()]);
  }

  stop() {
    super.stop();
    this.ended.abort();
  }

  columns() {
    const { exporting, grid, kinds, legend, lines, matrix, modes, next, order, table, trait, units } = this;
    legend.element.append(this.trim.element);
    const left = [kinds.element, this.problem, order.element, grid.element, trait];
    const bar = [this.heading, units?.element, modes.element, exporting?.element, legend.scale];
    const body = [
      h("div", { class: "hl-head-bar" }, ...bar),
      h("div", { class: "hl-zoom" }, this.find.element, this.zoom.buttons, this.zoom.told),
      h("div", { class: "hl-views" }, matrix.element, lines.element),
      legend.element,
      table.element,
    ];
    const foot = [
      h("div", { class: "hl-nexts" }, ...next.map(({ element }) => element)),
      h("div", { class: "hl-words" }, this.sentence.element, this.delta, this.shaping?.element),
    ];
    return h(
      "div",
      { class: "hl-columns" },
      h("div", { class: "hl-left" }, ...left),
      h("div", { class: "hl-main" }, ...body),
      h("div", { class: `hl-foot${this.compare || this.model.meta.told ? "" : " hl-foot-quiet"}` }, ...foot),
    );
  }

  /** @param {Chosen} state */
  point(state) {
    const { hover } = state;
    this.modes.render(state.mode);
    this.units?.render(state.words ? "words" : "pieces");
    this.root.dataset.mode = state.mode;
    const seen = hover && holds(this.part(state), hover);
    this.tip.render(state, hover, seen ? this.matrix.box(hover) : null);
    text(this.live, spoken(this, state));
  }

  /** @param {KeyboardEvent} event */
  cursor(event) {
    if (!zoomKeys(this.zoom, event)) super.cursor(event);
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    if (!zoomKeys(this.zoom, event)) super.keys(event);
  }

  workers() {
    return [this.matrix, this.lines];
  }

  facts() {
    const none = { stages: null, flow: null, strip: null, share: null, numbers: null };
    return {
      ...super.facts(),
      ...none,
      matrix: this.matrix.drawn(),
      lines: this.lines.drawn(),
      box: this.matrix.box([0, 0]),
    };
  }
}
