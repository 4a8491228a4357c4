// @ts-check
// What Inspect and Step have in common: one trace, its steps, its grid of heads, the next token, and
// that each drawing is made anew when what it needs has changed.
import { createSentence } from "./views/a11y.js";
import { Ahead } from "./data/ahead.js";
import { comparisonOf } from "./views/comparison.js";
import { createDistribution } from "./views/distribution.js";
import { h, text } from "./views/dom.js";
import { ExactLogits } from "./data/exact.js";
import { createGrid } from "./views/grid.js";
import { stepKeys } from "./keys.js";
import { createSwitch } from "./views/kinds.js";
import { createLegend } from "./views/legend.js";
import { notesOf } from "./views/notes.js";
import { OPTIONS, optionsOf, settleOptions } from "./options.js";
import { createOrder } from "./views/order.js";
import { isPlain } from "./data/sampling.js";
import { createShaping } from "./views/shaping.js";
import { Shown } from "./shown.js";
import { createSteps } from "./views/steps.js";
import { createExport } from "./views/export.js";
import { kindPatch, same, selectionOf, settle } from "./store.js";
import { stepTogether } from "./together.js";
import { format, points, quoted, visible } from "./data/text.js";
import { createTip } from "./views/tip.js";
import { createTold, toldRow } from "./views/told.js";

/** @import { Candidate, Candidates, Chosen, HeadState, Kind, Meta, Store, Wanted } from "./types" */
/** @import { Model } from "./data/model.js" */
/**
 * What a drawing needs: what is chosen, and what of its numbers is here; where one points as well;
 * or what there is of the next token.
 * @typedef {"chosen" | "pointing" | "next"} Need
 */
/** @typedef {(state: Chosen) => void} Drawing */

/** @abstract */
export class Inspector extends Shown {
  /**
   * @param {HTMLElement} root
   * @param {Model} model that has some kind of attention
   * @param {Store<Chosen>} store
   * @param {Meta} meta
   * @param {{ alone: boolean, rows: number, playing?: Parameters<typeof createSteps>[1] }} page whether it has
   *   no server behind it, how many next tokens it shows, and how its steps are played
   */
  constructor(root, model, store, meta, { alone, rows, playing }) {
    super(root, model, store, meta);
    const { words } = this;
    this.alone = alone;
    this.compare = meta.compare ? comparisonOf(meta.compare, meta) : null;
    this.ahead = new Ahead((head) => this.prepare(head));
    /** @type {Record<Need, Drawing[]>} */
    this.drawings = { pointing: [], chosen: [], next: [] };
    /** @type {Partial<Record<Need, unknown>>} */
    this.needed = {}; // by what was drawn last
    this.tip = createTip(this);
    this.steps = createSteps(this, playing);
    this.grid = createGrid(this);
    this.order = createOrder(this);
    this.kinds = createSwitch(
      words.kinds,
      model.kinds.map((kind) => ({ value: kind, label: this.kindName(kind) })),
      "hl-kinds",
      (kind) => this.show({ kind }),
    );
    this.legend = createLegend(this);
    this.exporting = createExport(this);
    this.sentence = createSentence(this);
    this.shaping = createShaping(this);
    this.next = this.nextTokens(rows);
    const { compare } = this;
    this.apart = stepTogether(
      store,
      model.meta.trace_id,
      ({ step }) => (model.steps ? step : null),
      (step) => ({ step }),
    );
    this.delta =
      compare && compare.role !== "free" ? h("p", { class: "hl-delta-line", "data-testid": "hl-delta" }) : null;
  }

  /**
   * Has drawings be made anew whenever what they need has changed, in this order.
   * @param {Need} need
   * @param {Drawing[]} drawings
   */
  draws(need, ...drawings) {
    this.drawings[need].push(...drawings);
  }

  /**
   * Puts the parts of a page into its place, once all its drawings are known. Canvases come before
   * elements: a canvas that sets a font wants the styles to be clean.
   * @param {HTMLElement[]} elements
   */
  assemble(elements) {
    const { delta, exporting, next, shaping } = this;
    this.draws(
      "chosen",
      (state) => {
        this.root.dataset.kind = state.kind;
        text(this.heading, this.title(state));
        this.kinds.render(state.kind);
        exporting?.render(state);
        if (delta) text(delta, this.deltaText(state.step));
      },
      this.sentence.render,
      this.legend.render,
    );
    this.draws("next", ...next.map(({ render }) => render), (state) => shaping?.render(state, next[0].facts()));
    this.fill(this.words.component, ...notesOf(this), this.steps.element, ...elements);
    this.hears((event) => this.keys(event));
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    stepKeys(this, event);
  }

  /** @param {number} rows */
  nextTokens(rows) {
    const { compare, model } = this;
    const { told, trace_id: id } = model.meta;
    if (told) return [createTold(this, { rows, told, logits: this.logitsOf(id, () => null) })];
    const own = createDistribution(this, {
      rows,
      at: (step) => model.next(step),
      logits: this.logitsOf(model.meta.trace_id, (step) => model.next(step)),
      title: compare?.baseLabel,
      pick: this.mayBranch ? (step, item) => this.branch(step, item) : null,
    });
    if (!compare) return [own];
    const { next, label, written } = compare;
    const logits = this.logitsOf(compare.traceId, next);
    return [own, createDistribution(this, { rows, at: next, logits, title: label, steps: written.length })];
  }

  /** Where the decoder cannot look ahead and a server has the model, it can go on from another token. */
  get mayBranch() {
    const { ui, facts } = this.model.meta;
    return Boolean(ui.branches) && !this.alone && !facts.lift_mask;
  }

  /**
   * Has the model write `item` at `step`, and go on from there.
   * @param {number} step
   * @param {Candidate} item
   */
  branch(step, item) {
    const prefix = this.model.writtenIds(step);
    if (!prefix) return;
    this.store.set({ step }); // another one may have been chosen that is not drawn yet
    this.trigger?.("branch", { prefix: [...prefix, item.id], selection: this.selection() });
  }

  /**
   * @param {string} traceId
   * @param {(step: number) => Candidates | null} next
   */
  logitsOf(traceId, next) {
    return new ExactLogits(
      (path, signal) => this.model.ask(traceId, path, signal),
      next,
      () => this.schedule(),
    );
  }

  /**
   * Logits are fetched when they are to be shown otherwise than they are, or may be soon.
   * @param {Chosen} state
   */
  wantLogits({ step, shape, shaping }) {
    if (!this.shaping || (isPlain(shape) && !shaping)) return;
    this.next.forEach(({ logits, steps }) => step < steps && logits.want(step));
  }

  /** Names of the options that this page has controls of. */
  get options() {
    return this.view === "step" ? OPTIONS.step : OPTIONS.inspect;
  }

  /** @returns {Wanted} */
  selection(state = this.store.get()) {
    return { ...selectionOf(state), ...optionsOf(state, this.options) };
  }

  /**
   * Takes over what was chosen elsewhere.
   * @param {Wanted} wanted
   */
  adopt(wanted) {
    const asked = { ...this.selection(), ...wanted };
    const chosen = settle(asked, this.model);
    this.show({ ...settleOptions(asked, this.model, chosen.kind, this.options), ...chosen });
  }

  /**
   * Another kind of attention; what was chosen while it was on its way stays.
   * @param {Partial<Chosen> & { kind: Kind }} patch
   */
  completed(patch) {
    return { ...kindPatch(this.model, this.store.get(), patch.kind), ...patch };
  }

  /** @param {HeadState} state */
  gridNote(state) {
    return this.order.describe({ ...this.store.get(), kind: state.kind }) || this.words.grid_note;
  }

  /** Pixels that the grid may be high. */
  gridHeight() {
    return 366;
  }

  /**
   * What of the numbers is here that the page draws.
   * @param {Chosen} _state
   * @returns {unknown}
   */
  standing(_state) {
    return this.current().status;
  }

  /**
   * Pointing at cells changes little; what does not depend on it is left alone.
   * @param {Chosen} state
   * @param {boolean} all
   */
  render(state, all) {
    this.wantExact(state);
    this.wantLogits(state);
    const { hover, pointed, zoom, found, shape, shaping, ...rest } = state;
    const chosen = [rest, this.focusRow(state), this.standing(state)];
    const exact = this.heads(state).map(([layer, head]) => this.exact.status(state.kind, layer, head));
    const logits = this.next.map((panel) => panel.logits.status(state.step));
    /** @type {Record<Need, unknown>} */
    const needs = {
      pointing: [chosen, hover, pointed, zoom, found, exact],
      chosen,
      next: [this.model.meta.told ? toldRow(this, state) : state.step, shape, shaping, logits],
    };
    for (const need of /** @type {Need[]} */ (Object.keys(needs))) {
      if (all || !same(needs[need], this.needed[need])) this.drawings[need].forEach((drawing) => drawing(state));
    }
    this.needed = needs;
    this.ahead.want(this.grid.around());
  }

  /**
   * Works out what a head near the chosen one will need.
   * @param {number[]} head
   */
  prepare([layer, head]) {
    if (this.frame) return; // something else was chosen, and what is worked out would be its
    const state = { ...this.store.get(), layer, head };
    this.workers().forEach((view) => view.ahead(state));
  }

  /**
   * Views that can work out a head before it is asked for.
   * @returns {{ ahead(state: Chosen): void }[]}
   */
  workers() {
    return [];
  }

  /** @param {number} step */
  deltaText(step) {
    const delta = this.compare?.delta(step) ?? null;
    const token = quoted(visible(this.model.written[step].text));
    return delta === null ? "" : format(this.words.compare_delta, { token, change: points(delta) });
  }

  stop() {
    super.stop();
    this.apart();
    this.steps.halt();
    this.grid.stop();
    this.ahead.stop();
    this.exact.stop();
    this.next.forEach(({ logits }) => logits.stop());
  }

  facts() {
    const { model, seen, store } = this;
    const state = store.get();
    const { rows, columns } = seen.site(state.kind);
    const head = this.current();
    const { mode, hover, threshold, order, top, kept, trim, zoom, found } = state;
    return {
      selection: selectionOf(state),
      options: optionsOf(state, this.options),
      traceId: model.meta.trace_id,
      ...{ mode, hover, threshold, order, top, kept, trim, zoom, found, rows, columns },
      words: seen !== model,
      held: this.held(state),
      status: head.status,
      scores: head.scores !== null,
      row: this.focusRow(state),
      grid: this.grid.drawn(),
      ahead: this.ahead.heads.length,
      next: this.next.map((next) => next.drawn()),
      shape: { ...state.shape, ...this.next[0].facts() },
      weights: Array.from(head.weights.subarray(0, 4096)),
    };
  }
}
