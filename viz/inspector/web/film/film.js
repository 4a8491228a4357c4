// @ts-check
// Puts the views of a film together, and draws them once a frame when something changed.
import { cssOf } from "../views/colour.js";
import { h, text } from "../views/dom.js";
import { createGrid } from "../views/grid.js";
import { createSwitch } from "../views/kinds.js";
import { createMatrix } from "../views/matrix.js";
import { allCellsOf, createMenu, FIGURES_AND_NUMBERS, fileAt } from "../views/menu.js";
import { isDecoder } from "../data/seen.js";
import { format } from "../data/text.js";
import { createTip, spoken } from "../views/tip.js";
import { createCurves } from "./curves.js";
import { createOutputs, createTable } from "./outputs.js";
import { createPlayer } from "./player.js";
import { Pictures } from "./pictures.js";
import { selectionOf, settleReel } from "./reel.js";
import { createScale, createViews, says } from "./scale.js";

/** @import { App, Kind, Store, Wanted } from "../types" */
/** @import { FilmMeta, FilmState, Settled } from "./types" */
/** @import { Reel } from "./reel.js" */

const REST_MS = 250; // what is read out follows once the film rests

export class Film extends Pictures {
  /**
   * @param {HTMLElement} root
   * @param {Reel} reel
   * @param {Store<FilmState>} store
   * @param {FilmMeta} meta
   */
  constructor(root, reel, store, meta) {
    super(root, reel, store, meta);
    this.rest = 0;
    this.drawnOf = "";
    const { words } = this;
    this.tip = createTip(this, "hl-tip", says);
    this.player = createPlayer(this);
    this.grid = createGrid(this, reel.count + 4);
    this.matrix = createMatrix(this);
    this.curves = createCurves(this);
    this.outputs = createOutputs(this);
    this.table = createTable(this);
    this.scale = createScale(this);
    this.views = createViews(this);
    this.heading = h("h2", { class: "hl-title", "data-testid": "hl-title" });
    this.kinds = createSwitch(
      words.kinds,
      this.model.kinds.map((/** @type {Kind} */ kind) => ({ value: kind, label: this.kindName(kind) })),
      "hl-kinds",
      (/** @type {Kind} */ kind) => {
        const { layer, head } = settleReel({ ...this.selection(), kind }, reel);
        store.set({ kind, layer, head, pinned: null, hover: null });
      },
    );
    this.exporting = createMenu(
      this,
      [
        { name: "head", label: words.export_head, forms: FIGURES_AND_NUMBERS },
        {
          name: "grid",
          label: words.export_grid,
          forms: FIGURES_AND_NUMBERS,
          cells: (/** @type {FilmState} */ { kind }) => allCellsOf(this.model.site(kind)),
        },
        {
          name: "changes",
          label: `${words.export_grid} · ${words.view_difference}`,
          forms: FIGURES_AND_NUMBERS,
          when: (/** @type {FilmState} */ { view }) => view === "difference",
          cells: (/** @type {FilmState} */ { kind }) => allCellsOf(this.model.site(kind)),
        },
        { name: "beside", label: words.export_difference, forms: FIGURES_AND_NUMBERS },
        { name: "whole", label: words.export_whole, forms: ["html", "npz"] },
      ],
      (/** @type {FilmState} */ state, /** @type {string} */ name, /** @type {string} */ form) =>
        this.file(state, name, form),
    );
    this.build();
  }

  build() {
    const left = h("div", { class: "hl-left" }, this.kinds.element, this.grid.element, this.outputs.element);
    const bar = h("div", { class: "hl-head-bar" }, this.heading, this.views.element, this.exporting.element);
    const main = h("div", { class: "hl-main" }, bar, this.matrix.element, this.scale.element);
    const columns = h("div", { class: "hl-columns" }, left, main, this.curves.element);
    this.fill(this.words.film, ...this.player.elements, columns, this.table.element);
    this.hears((event) => this.player.keys(event));
  }

  /** @param {Settled} state */
  selection(state = this.store.get()) {
    return selectionOf(state, this.reel);
  }

  /**
   * Takes over what was chosen elsewhere.
   * @param {Wanted} wanted
   */
  adopt(wanted) {
    this.store.set(settleReel({ ...this.selection(), ...wanted }, this.reel));
  }

  /**
   * Where the server makes a file of the present milestone, or of what it has less another one.
   * @param {Settled} state
   * @param {string} name
   * @param {string} form
   */
  file({ kind, layer, head, milestone, compare, pinned, stretch }, name, form) {
    const [now, then] = [milestone, compare].map((index) => encodeURIComponent(this.reel.models[index].meta.trace_id));
    const grid = name === "grid" || name === "changes";
    const both = name === "beside" || name === "changes";
    return fileAt(`${both ? `${then}/beside/${now}` : now}/trace.${form}`, {
      kind,
      layer: layer + 1,
      head: head + 1,
      lang: this.language,
      view: grid ? "grid" : null,
      pinned: grid ? null : pinned?.map((at) => at + 1).join("."),
      stretch: stretch ? "on" : null,
    });
  }

  /** @param {number} value */
  number(value) {
    return value.toLocaleString(this.language);
  }

  /**
   * "after 400 updates" of the milestone of that index.
   * @param {number} index
   */
  after(index) {
    const step = this.reel.steps[index];
    return step === 0 ? this.words.untrained : format(this.words.after_updates, { step: this.number(step) });
  }

  gridHeight() {
    return 256;
  }

  /**
   * @param {FilmState} state
   * @param {boolean} all
   */
  render(state, all) {
    this.want(state);
    this.matrix.render(state);
    this.tip.render(state, state.hover, this.matrix.box(state.hover));
    text(this.live, spoken(/** @type {App} */ (/** @type {unknown} */ (this)), state, says));
    // Pointing at cells changes little; what does not depend on it is left alone.
    const chosen = JSON.stringify([this.selection(state), this.shown(state).status]);
    if (all || chosen !== this.drawnOf) this.drawFacts(state);
    this.drawnOf = chosen;
  }

  /** @param {FilmState} state */
  drawFacts(state) {
    const { scales } = this.theme;
    this.grid.render(state);
    this.player.render(state);
    this.root.dataset.kind = state.kind;
    this.root.style.setProperty("--hl-full", cssOf(/** @type {number} */ (scales[state.kind].at(-1))));
    this.root.dataset.difference = String(state.view === "difference");
    text(this.heading, this.title(state));
    this.kinds.render(state.kind);
    this.views.render(state.view);
    this.exporting.render(state);
    this.scale.render(state);
    this.curves.render(state);
    this.outputs.render(state);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.settled(), REST_MS);
  }

  /** What only screen readers meet is brought up to date when nothing moves any more. */
  settled() {
    const state = this.store.get();
    this.table.render(state);
    this.outputs.reveal(state);
    this.grid.retell();
  }

  stop() {
    super.stop();
    clearTimeout(this.rest);
    this.player.stop();
    this.grid.stop();
  }

  facts() {
    const state = this.store.get();
    const { values, status } = this.shown(state);
    const site = this.model.site(state.kind);
    return {
      selection: this.selection(state),
      traceId: this.model.meta.trace_id,
      hover: state.hover,
      rows: site.rows,
      columns: site.columns,
      status,
      playing: this.player.playing(),
      speed: state.speed,
      loop: state.loop,
      grid: this.grid.drawn(),
      matrix: this.matrix.drawn(),
      curves: this.curves.drawn(),
      scale: this.scale.drawn(),
      values: Array.from(values.subarray(0, 4096)),
      box: this.matrix.box([0, 0]),
      decoder: isDecoder(state.kind),
    };
  }
}
