// @ts-check
// Step: one step on one screen; all of its matrices are another view of the same.
import { createTable } from "./views/a11y.js";
import { h, text } from "./views/dom.js";
import { createFlow, ROW_MS } from "./views/flow.js";
import { Inspector } from "./inspector.js";
import { createSwitch } from "./views/kinds.js";
import { createMatrix } from "./views/matrix.js";
import { createNumbers } from "./views/numbers.js";
import { createShare } from "./views/share.js";
import { createStages } from "./views/stages.js";
import { createStrip } from "./views/strip.js";
import { spoken } from "./views/tip.js";

/** @import { Chosen, Meta, Store } from "./types" */
/** @import { Model } from "./data/model.js" */

const NEXT = 6; // candidates beside the row

export class Step extends Inspector {
  /**
   * @param {HTMLElement} root
   * @param {Model} model
   * @param {Store<Chosen>} store
   * @param {Meta} meta
   * @param {boolean} alone
   */
  constructor(root, model, store, meta, alone) {
    const playing = { every: ROW_MS, stepped: () => this.flow.act(), halted: () => this.flow.rest() };
    super(root, model, store, meta, { alone, rows: NEXT, playing });
    const { words } = this;
    const views = /** @type {const} */ (["row", "stages"]).map((value) => ({ value, label: words[`view_${value}`] }));
    this.whole = createSwitch(words.view, views, "hl-whole", (value) =>
      store.set({ stages: value === "stages", hover: null }),
    );
    this.matrix = createMatrix(this);
    this.flow = createFlow(this);
    this.share = createShare(this);
    this.strip = createStrip(this);
    this.stages = createStages(this);
    this.numbers = createNumbers(this);
    this.table = createTable(this);
    this.draws("pointing", (state) => this.point(state));
    this.draws("chosen", this.grid.render, this.order.render, this.stages.render, this.strip.render);
    this.draws("chosen", this.share.render, this.steps.render, this.table.render, this.numbers.render);
    this.assemble([this.bar(), this.columns()]);
  }

  bar() {
    const { exporting, heading, kinds, problem, whole } = this;
    return h("div", { class: "hl-head-bar" }, kinds.element, problem, heading, whole.element, exporting?.element);
  }

  columns() {
    const { flow, grid, legend, matrix, next, numbers, order, share, stages, strip, table, words } = this;
    const stay = h("div", { class: "hl-stay" }, matrix.element, legend.element, order.element, grid.element);
    const body = [
      h("div", { class: "hl-words" }, this.sentence.element, this.delta),
      flow.element,
      table.element,
      h("div", { class: "hl-stages" }, ...stages.elements),
    ];
    const last = [
      h("div", { class: "hl-nexts" }, ...next.map(({ element }) => element)),
      h("p", { class: "hl-note" }, words.stage_next_note),
      this.shaping?.element,
    ];
    const below = [
      numbers.element,
      h("div", { class: "hl-beside" }, share.element, strip.element),
      h("section", { class: "hl-stage-next" }, ...last),
    ];
    return h(
      "div",
      { class: "hl-columns" },
      h("div", { class: "hl-left" }, stay),
      h("div", { class: "hl-main" }, ...body),
      h("div", { class: "hl-below" }, ...below),
    );
  }

  /** @param {Chosen} state */
  point(state) {
    this.root.dataset.stages = String(state.stages);
    this.whole.render(state.stages ? "stages" : "row");
    this.matrix.render(state);
    this.flow.render(state);
    const at = this.flow.pointed() ? null : state.hover; // the row says it itself
    this.tip.render(state, at, this.matrix.box(at));
    text(this.live, spoken(this, state));
  }

  /** @param {Chosen} state */
  standing(state) {
    return [super.standing(state), this.strip.standing(state)];
  }

  /**
   * The head of the strip after the chosen one.
   * @param {Chosen} state
   */
  wantExact(state) {
    const { kind, layer, head } = state;
    const other = this.strip.place(state);
    if (other && this.strip.standing(state) === "loading" && this.exact.status(kind, layer, head) !== "loading") {
      this.exact.want(other.kind, other.layer, other.head);
    } else super.wantExact(state);
  }

  /** Pixels that the grid may be high. */
  gridHeight() {
    return this.store.get().stages ? 330 : 156;
  }

  workers() {
    return [this.matrix, this.stages];
  }

  facts() {
    const { flow, matrix, numbers, share, stages, strip } = this;
    return {
      ...super.facts(),
      lines: null,
      matrix: matrix.drawn(),
      stages: stages.drawn(),
      flow: flow.drawn(),
      strip: strip.drawn(),
      share: share.drawn(),
      numbers: numbers.drawn(),
      box: matrix.box([0, 0]),
    };
  }
}
