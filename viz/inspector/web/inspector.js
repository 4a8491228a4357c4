// Puts the views together for one trace, and draws them once a frame when something changed.
import { createSentence, createTable } from "./views/a11y.js";
import { Ahead } from "./data/ahead.js";
import { comparisonOf } from "./views/comparison.js";
import { createDistribution } from "./views/distribution.js";
import { h, text } from "./views/dom.js";
import { ExactLogits } from "./data/exact.js";
import { createGrid } from "./views/grid.js";
import { stepKeys } from "./keys.js";
import { createSwitch } from "./views/kinds.js";
import { createLegend } from "./views/legend.js";
import { createLines } from "./views/lines.js";
import { OPTIONS, optionsOf, settleOptions } from "./options.js";
import { createMatrix } from "./views/matrix.js";
import { createNumbers } from "./views/numbers.js";
import { createOrder } from "./views/order.js";
import { isPlain } from "./data/sampling.js";
import { createShaping } from "./views/shaping.js";
import { createShare } from "./views/share.js";
import { Shown } from "./shown.js";
import { createStages } from "./views/stages.js";
import { createSteps } from "./views/steps.js";
import { createStrip } from "./views/strip.js";
import { createExport } from "./views/export.js";
import { createFlow, ROW_MS } from "./views/flow.js";
import { kindPatch, selectionOf, settle } from "./store.js";
import { format } from "./data/text.js";
import { createTip, spoken } from "./views/tip.js";
import { createTrim } from "./views/trim.js";

const [SHORT, NEXT] = [4, 6]; // candidates under the matrix, and beside the row of a step
const EDITS = 6; // that are named

export class Inspector extends Shown {
  constructor(root, model, store, meta, alone = false) {
    super(root, model, store, meta);
    this.alone = alone; // a page without a server behind it
    this.told = {}; // what was drawn last: of the chosen, of where one points, of the next token
    this.compare = meta.compare ? comparisonOf(meta.compare, meta) : null;
    this.ahead = new Ahead((head) => this.prepare(head));
    if (model.kinds.length === 0) root.replaceChildren(h("p", { class: "hl-empty" }, this.words.nothing));
    else this.build();
  }

  build() {
    const { model, words, store } = this;
    this.tip = createTip(this);
    this.steps = createSteps(
      this,
      this.view === "inspect" ? {} : { every: ROW_MS, stepped: () => this.flow.act(), halted: () => this.flow.rest() },
    );
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
    const inspect = this.view === "inspect";
    this.parts = inspect ? this.buildInspect() : this.buildStep();
    this.root.replaceChildren(
      h(
        "div",
        { class: "hl-frame", role: "group", "aria-label": words.component },
        this.live,
        ...this.edited(),
        this.steps.element,
        ...this.parts.elements,
      ),
    );
    this.root.onkeydown = (event) => stepKeys(this, event);
    if (this.alone)
      document.body.onkeydown = (event) =>
        void (event.target === document.body && event.key !== "l" && stepKeys(this, event)); // false would stop other keys
  }

  /** That the numbers are not those of the model as it is, where something was edited. */
  edited() {
    const { edits = [] } = this.model.meta;
    const listed = [...edits.slice(0, EDITS), ...(edits.length > EDITS ? ["…"] : [])].join(", ");
    return edits.length
      ? [
          h(
            "p",
            { class: "hl-note hl-edited", "data-testid": "hl-edited" },
            format(this.words.edited, { edits: listed }),
          ),
        ]
      : [];
  }

  nextTokens(rows) {
    const { compare, model } = this;
    const panel = (traceId, at, more) =>
      createDistribution(this, { rows, at, logits: this.logitsOf(traceId, at), ...more });
    const own = panel(model.meta.trace_id, (step) => model.next(step), {
      title: compare?.baseLabel,
      pick: this.mayBranch ? (step, item) => this.branch(step, item) : null,
    });
    if (!compare) return [own];
    return [own, panel(compare.traceId, compare.next, { title: compare.label, steps: compare.written.length })];
  }

  /** Where the decoder cannot look ahead and a server has the model, it can go on from another token. */
  get mayBranch() {
    const { ui, facts } = this.model.meta;
    return Boolean(ui.branches) && !this.alone && !facts.lift_mask;
  }

  /** Has the model write `item` at `step`, and go on from there. */
  branch(step, item) {
    const prefix = this.model.writtenIds(step);
    if (!prefix) return;
    this.store.set({ step }); // another one may have been chosen that is not drawn yet
    this.trigger?.("branch", { prefix: [...prefix, item.id], selection: this.selection() });
  }

  logitsOf(traceId, next) {
    return new ExactLogits(
      (path, signal) => this.model.ask(traceId, path, signal),
      next,
      () => this.schedule(),
    );
  }

  /** The head of the strip after the chosen one. */
  wantExact(state) {
    const { kind, layer, head } = state;
    const other = this.strip?.place(state);
    if (other && this.strip.standing(state) === "loading" && this.exact.status(kind, layer, head) !== "loading") {
      this.exact.want(other.kind, other.layer, other.head);
    } else super.wantExact(state);
  }

  /** Logits are fetched when they are to be shown otherwise than they are, or may be soon. */
  wantLogits({ step, shape, shaping }) {
    if (!this.shaping || (isPlain(shape) && !shaping)) return;
    this.next.forEach(({ logits, steps }) => step < steps && logits.want(step));
  }

  /** Is there anything to choose? */
  get chosen() {
    return this.model.kinds.length > 0;
  }

  selection(state = this.store.get()) {
    return { ...selectionOf(state), ...optionsOf(state, OPTIONS[this.view]) };
  }

  /** Takes over what was chosen elsewhere. */
  adopt(wanted) {
    const asked = { ...this.selection(), ...wanted };
    const chosen = settle(asked, this.model);
    this.show({ ...settleOptions(asked, this.model, chosen.kind, OPTIONS[this.view]), ...chosen });
  }

  /** Another kind of attention; what was chosen while it was on its way stays. */
  completed(patch) {
    return { ...kindPatch(this.model, this.store.get(), patch.kind), ...patch };
  }

  buildInspect() {
    const { words, store } = this;
    this.units =
      this.inWords &&
      createSwitch(
        words.units,
        [
          { value: "pieces", label: words.units_pieces },
          { value: "words", label: words.units_words },
        ],
        "hl-units",
        (unit) => store.set({ words: unit === "words", hover: null }),
      );
    this.matrix = createMatrix(this);
    this.lines = createLines(this);
    this.trim = createTrim(this);
    this.legend.element.append(this.trim.element);
    this.table = createTable(this);
    this.modes = createSwitch(
      words.view,
      [
        { value: "matrix", label: words.view_matrix },
        { value: "lines", label: words.view_lines },
      ],
      "hl-modes",
      (mode) => store.set({ mode }),
    );
    this.next = this.nextTokens(SHORT);
    this.trait = h("p", { class: "hl-note hl-traits", "data-testid": "hl-traits" });
    const left = h(
      "div",
      { class: "hl-left" },
      this.kinds.element,
      this.problem,
      this.order.element,
      this.grid.element,
      this.trait,
    );
    const head = h(
      "div",
      { class: "hl-head-bar" },
      this.heading,
      this.units?.element,
      this.modes.element,
      this.exporting?.element,
      this.legend.scale,
    );
    const body = h(
      "div",
      { class: "hl-main" },
      head,
      h("div", { class: "hl-views" }, this.matrix.element, this.lines.element),
      this.legend.element,
      this.table.element,
    );
    const foot = h(
      "div",
      { class: `hl-foot${this.compare ? "" : " hl-foot-quiet"}` },
      h("div", { class: "hl-nexts" }, ...this.next.map((next) => next.element)),
      this.foot(),
    );
    return {
      elements: [h("div", { class: "hl-columns" }, left, body, foot)],
      render: (state) => {
        this.matrix.render(state);
        this.lines.render(state);
        this.modes.render(state.mode);
        this.units?.render(state.words ? "words" : "pieces");
        this.root.dataset.mode = state.mode;
        this.tip.render(state, state.hover, this.tipBox(state));
        text(this.live, spoken(this, state));
      },
    };
  }

  /** One step on one screen; all of its matrices are another view of the same. */
  buildStep() {
    const { words, store } = this;
    this.matrix = createMatrix(this);
    this.flow = createFlow(this);
    this.share = createShare(this);
    this.strip = createStrip(this);
    this.stages = createStages(this);
    this.numbers = createNumbers(this);
    this.table = createTable(this);
    this.next = this.nextTokens(NEXT);
    const whole = createSwitch(
      words.view,
      [
        { value: "row", label: words.view_row },
        { value: "stages", label: words.view_stages },
      ],
      "hl-whole",
      (value) => store.set({ stages: value === "stages", hover: null }),
    );
    const foot = this.foot();
    const last = h(
      "section",
      { class: "hl-stage-next" },
      h("div", { class: "hl-nexts" }, ...this.next.map((next) => next.element)),
      h("p", { class: "hl-note" }, words.stage_next_note),
      this.shaping?.element,
    );
    const left = h(
      "div",
      { class: "hl-left" },
      h("div", { class: "hl-stay" }, this.matrix.element, this.legend.element, this.order.element, this.grid.element),
    );
    const body = h(
      "div",
      { class: "hl-main" },
      foot,
      this.flow.element,
      this.table.element,
      h("div", { class: "hl-stages" }, ...this.stages.elements),
    );
    const below = h(
      "div",
      { class: "hl-below" },
      this.numbers.element,
      h("div", { class: "hl-beside" }, this.share.element, this.strip.element),
      last,
    );
    const bar = h(
      "div",
      { class: "hl-head-bar" },
      this.kinds.element,
      this.problem,
      this.heading,
      whole.element,
      this.exporting?.element,
    );
    return {
      elements: [bar, h("div", { class: "hl-columns" }, left, body, below)],
      render: (state) => {
        this.root.dataset.stages = String(state.stages);
        whole.render(state.stages ? "stages" : "row");
        this.matrix.render(state);
        this.flow.render(state);
        this.tip.render(state, this.flow.pointed() ? null : state.hover, this.tipBox(state));
        text(this.live, spoken(this, state));
      },
    };
  }

  foot() {
    this.delta =
      this.compare?.role === "free" || !this.compare
        ? null
        : h("p", { class: "hl-delta-line", "data-testid": "hl-delta" });
    return h("div", { class: "hl-words" }, this.sentence.element, this.delta, this.shaping?.element);
  }

  gridNote(state) {
    return this.order.describe(state) || this.words.grid_note;
  }

  tipBox(state) {
    if (!state.hover) return null;
    return this.matrix.box(Math.max(state.hover[0], 0), Math.max(state.hover[1], 0));
  }

  /** Pixels that the grid may be high. */
  gridHeight() {
    if (this.view === "inspect") return 366;
    return this.store.get().stages ? 330 : 156;
  }

  draw(all = true) {
    if (!this.theme || this.model.kinds.length === 0) return;
    const began = performance.now();
    const state = this.store.get();
    this.wantExact(state);
    this.wantLogits(state);
    // Pointing at cells changes little; what does not depend on it is left alone.
    const { shape: shaped, shaping, ...chosen } = state;
    const { hover, pointed, ...rest } = chosen;
    const beside = this.strip?.standing(state);
    const facts = JSON.stringify([rest, this.focusRow(state), this.current().status, beside]);
    const shape = JSON.stringify([shaped, shaping, this.next.map(({ logits }) => logits.status(state.step))]);
    const exact = this.heads(state).map(([layer, head]) => this.exact.status(state.kind, layer, head));
    const others = JSON.stringify([chosen, this.current().status, exact]);
    const told = { facts, others, next: `${state.step}|${shape}` };
    const fresh = (name) => all || told[name] !== this.told[name];
    if (fresh("others") || fresh("facts")) this.parts.render(state);
    if (fresh("facts")) this.drawFacts(state);
    if (fresh("next")) this.drawNext(state);
    this.told = told;
    this.drew(began);
    this.ahead.want(this.grid.around());
  }

  /** Works out what a head near the chosen one will need. */
  prepare([layer, head]) {
    if (this.frame) return; // something else was chosen, and what is worked out would be its
    const state = { ...this.store.get(), layer, head };
    [this.matrix, this.lines, this.stages].forEach((view) => view?.ahead(state));
  }

  /** All that temperature, top-k and top-p change. */
  drawNext(state) {
    this.next.forEach((next) => next.render(state));
    this.shaping?.render(state, this.next[0].facts());
  }

  /** Canvases before elements: a canvas that sets a font wants the styles to be clean. */
  drawFacts(state) {
    this.grid.render(state);
    this.order.render(state);
    this.stages?.render(state);
    this.strip?.render(state);
    this.share?.render(state);
    this.steps.render(state); // it may scroll, which wants a clean layout
    this.root.dataset.kind = state.kind;
    text(this.heading, this.title(state));
    this.kinds.render(state.kind);
    this.sentence.render(state);
    this.legend.render(state);
    this.trim?.render(state);
    this.table?.render(state);
    this.numbers?.render(state);
    this.exporting?.render(state);
    if (this.trait) text(this.trait, this.tell(state.kind, state.layer, state.head));
    if (this.delta) text(this.delta, this.deltaText(state.step));
  }

  deltaText(step) {
    const delta = this.compare.delta(step);
    return delta === null ? "" : format(this.words.compare_delta, { delta: this.compare.print(delta) });
  }

  stop() {
    super.stop();
    this.steps?.halt();
    this.grid?.stop();
    this.ahead.stop();
    this.exact.stop();
    this.next?.forEach(({ logits }) => logits.stop());
  }

  /** Read-only facts of what is drawn, for tests. */
  state() {
    const { model, seen, store } = this;
    if (!this.theme || model.kinds.length === 0) return { ready: false };
    const state = store.get();
    const { kind } = state;
    const site = seen.sites.get(kind);
    const head = this.current();
    return {
      ready: true,
      pending: this.frame !== 0,
      selection: selectionOf(state),
      options: optionsOf(state, OPTIONS[this.view]),
      view: this.view,
      traceId: model.meta.trace_id,
      dark: this.theme.dark,
      hover: state.hover,
      mode: state.mode,
      threshold: state.threshold,
      order: state.order,
      top: state.top,
      words: seen !== model,
      held: this.held(state),
      kept: state.kept,
      trim: state.trim,
      rows: site.rows,
      columns: site.columns,
      status: head.status,
      scores: head.scores !== null,
      row: this.focusRow(state),
      grid: this.grid.drawn(),
      matrix: this.matrix?.drawn() ?? null,
      lines: this.lines?.drawn() ?? null,
      ahead: this.ahead.heads.length,
      stages: this.stages?.drawn() ?? null,
      flow: this.flow?.drawn() ?? null,
      strip: this.strip?.drawn() ?? null,
      share: this.share?.drawn() ?? null,
      numbers: this.numbers?.drawn() ?? null,
      next: this.next.map((next) => next.drawn()),
      shape: { ...state.shape, ...this.next[0].facts() },
      scriptMs: this.times.slice(),
      weights: Array.from(head.weights.subarray(0, 4096)),
      box: this.matrix ? this.matrix.box(0, 0) : null,
    };
  }
}
