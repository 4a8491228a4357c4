// @ts-check
// The chosen head as lines between tokens: keys on the left, queries on the right.
import { createSlider, h, text } from "./dom.js";
import { holds, sizeOf } from "../data/part.js";
import { isDecoder } from "../data/seen.js";
import { budget, linesOf, strongest } from "../data/strongest.js";
import { holdToken } from "../keys.js";
import { drawCurves } from "./curves.js";
import { createOverlay } from "./overlay.js";
import { drawSide } from "./linenames.js";
import { labelsOf, sized } from "./labels.js";
import { prepare } from "./paint.js";
import { Memo } from "../data/memo.js";
import { format, near, wholePercent } from "../data/text.js";

/** @import { Chosen, Drawing, Inspecting, Label } from "../types" */
/** @import { Strongest } from "../data/strongest.js" */

const [SPACING, BESIDE] = [28, 2];

/** @param {Inspecting} app */
export function createLines(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-lines-canvas" });
  const surface = h("div", { class: "hl-lines-surface" }, canvas);
  const range = { min: 0, max: 0.5, step: 0.01 };
  const slider = createSlider("hl-threshold", words.threshold, range, (threshold) => store.set({ threshold }));
  const note = h("span", { "data-testid": "hl-lines-note" });
  const overlay = createOverlay(app);
  const titles = [words.axis_key, words.axis_query].map((title) => h("span", {}, title));
  const top = h("div", { class: "hl-lines-heads" }, ...titles);
  const foot = h("label", { class: "hl-note hl-lines-note" }, slider.element, note);
  const element = h("div", { class: "hl-lines", "data-testid": "hl-lines" }, top, surface, overlay.element, foot);
  const axes = new Memo(6);
  /** @type {WeakMap<Float32Array, Strongest & { key: string, head: number[] }>} */
  const chosen = new WeakMap();
  let shape = /** @type {ReturnType<typeof layout>} */ (/** @type {unknown} */ (null)); // until it is drawn
  /** @type {Record<string, unknown>} */
  let drawn = { lines: 0, hidden: 0 };

  /**
   * @param {Chosen} state
   * @param {number} width
   * @param {number} height
   * @param {Drawing} context
   */
  function layout(state, width, height, context) {
    const { kind, words: inWords } = state;
    const model = app.seen;
    const part = app.part(state);
    const [tall, wide] = sizeOf(part);
    const font = `14px ${app.theme.font}`;
    const limit = Math.floor(width * 0.32);
    const { keys, queries, sides } = axes.get(`${kind}|${inWords}|${limit}|${font}`, () => {
      const names = [model.keys(kind), model.queries(kind)].map((side) => labelsOf(side, context, font, limit));
      context.font = `600 ${font}`; // as what is spoken of is named
      const widest = (/** @type {Label[]} */ side) =>
        side.reduce((most, label) => Math.max(most, sized(label, context).width), 12);
      return { keys: names[0], queries: names[1], sides: names.map(widest) };
    });
    const [left, right] = [sides[0] + 10, width - sides[1] - 10];
    const spread = (/** @type {number} */ count) => Math.min(SPACING, (height - 20) / count);
    const middle = Math.min(height, Math.max(spread(tall) * tall, spread(wide) * wide) + 20) / 2;
    const at = (/** @type {number} */ first, /** @type {number} */ count) => {
      const gap = spread(count);
      return (/** @type {number} */ index) => middle + (index - first - (count - 1) / 2) * gap;
    };
    return {
      site: model.site(kind),
      part,
      keys,
      queries,
      left,
      right,
      keyY: at(part.left, wide),
      queryY: at(part.top, tall),
      keyGap: spread(wide),
      queryGap: spread(tall),
      /** Pixels [down, down] that queries and keys may take. */
      room: [height - 20, height - 20],
    };
  }

  /** @param {Chosen} state */
  function draw(state) {
    const [width, height] = app.sizes.of(surface);
    const model = app.seen;
    if (width === 0 || height === 0) return;
    const context = prepare(canvas, width, height);
    shape = layout(state, width, height, context);
    const live = model.rowsAt(state.kind, state.step);
    const held = app.held(state);
    const all = app.heads(state).map(([layer, head]) => own(state, layer, head, live, held));
    const row = held ? held[0] : (hoveredRow(state) ?? app.focusRow(state));
    const column = held ? held[1] : state.hover && state.hover[0] < 0 ? state.hover[1] : null;
    const { site, part, keyY, queryY, left, right, queryGap } = shape;
    const form = { left, right, keyY, queryY, pitch: queryGap * budget(sizeOf(part)[0], 1).stretch };
    /** @type {Record<"keys" | "queries", [number, number][]>} other ends of what is spoken of, with their weights */
    const ends = { keys: [], queries: [] };
    all.forEach(({ values: { weights }, found }, at) => {
      const cells = apart(weights, found, live, state.threshold, row, column);
      for (const cell of cells.strong ?? []) {
        const [r, c] = [Math.floor(cell / site.columns), cell % site.columns];
        if (r === row) ends.keys.push([c, weights[cell]]);
        else ends.queries.push([r, weights[cell]]);
      }
      drawCurves(context, weights, site.columns, cells, {
        ...form,
        colour: all.length > 1 ? app.theme.several[at] : app.theme.hues[state.kind],
        aside: (at - (all.length - 1) / 2) * BESIDE, // heads that draw the same line are seen side by side
      });
    });
    labels(context, state, row, live, held, ends);
    const sum = (/** @type {(one: ReturnType<typeof own>) => number} */ of) =>
      all.reduce((mass, one) => mass + of(one), 0);
    const [total, count] = [sum((one) => one.total), sum(({ found }) => found.length)];
    const hidden = total > 0 ? sum((one) => one.hidden * one.total) / total : 0;
    const of = sum((one) => one.all);
    const status = all.every(({ values }) => values.status === "exact") ? "exact" : "loading";
    text(note, told(state, { count, of, heads: all.length, held, hidden: near(status, wholePercent(hidden)) }));
    overlay.render(
      state,
      all.map((one) => ({ head: one.head, hidden: near(one.values.status, wholePercent(one.hidden)) })),
    );
    drawn = {
      lines: count,
      of,
      spoken: ends.keys.length + ends.queries.length,
      hidden,
      status,
      heads: all.map((one) => ({ head: one.head.map((at) => at + 1), lines: one.found.length, hidden: one.hidden })),
    };
  }

  /**
   * How many lines are drawn of how many, and of what.
   * @param {Chosen} state
   * @param {{ count: number, of: number, heads: number, held: number[] | null, hidden: string }} lines
   */
  function told(state, { count, of, heads, held, hidden }) {
    const { stretch } = budget(sizeOf(shape.part)[0], heads);
    const fewer = count < of;
    const numbers = { threshold: state.threshold.toFixed(2), count, all: of, rows: stretch, hidden };
    const said = [
      format(!fewer ? words.lines_note : stretch > 1 && !held ? words.lines_shared : words.lines_capped, numbers),
      held ? words.lines_held : "",
      state.zoom ? words.lines_zoomed : "",
      heads > 1 ? words.lines_each : "",
    ];
    return said.filter(Boolean).join(" · ");
  }

  /**
   * The lines of one head, worked out when something that they depend on changed.
   * @param {Chosen} state
   * @param {number} layer
   * @param {number} head
   * @param {number} live
   * @param {number[] | null} held
   */
  function own(state, layer, head, live, held) {
    const values = app.headAt(layer, head);
    const { part, site } = shape;
    const heads = app.heads(state).length;
    const whole = app.focusRow({ ...state, hover: null }) ?? -1; // what is pointed at changes no numbers
    const key = `${live}|${state.threshold}|${held}|${whole}|${heads}|${Object.values(part)}`;
    const last = chosen.get(values.weights);
    if (last?.key === key) return { ...last, values };
    const how = { room: budget(held ? 0 : sizeOf(part)[0], heads), only: held, whole, part };
    const found = strongest(values.weights, live, site.columns, state.threshold, how);
    const made = { key, head: [layer, head], ...found };
    chosen.set(values.weights, made);
    return { ...made, values };
  }

  /**
   * Lines of what is spoken of, all of them, and the others.
   * @param {Float32Array} weights
   * @param {number[]} found
   * @param {number} live
   * @param {number} threshold
   * @param {number | null} row
   * @param {number | null} column
   */
  function apart(weights, found, live, threshold, row, column) {
    const { columns } = shape.site;
    const tokens = [
      [row ?? -1, -1],
      [-1, column ?? -1],
    ].filter((token) => Math.max(...token) >= 0);
    if (tokens.length === 0) return { quiet: found, strong: null };
    const strong = tokens.flatMap((token) => linesOf(weights, live, columns, threshold, token, shape.part));
    const quiet = found.filter((at) => Math.floor(at / columns) !== row && at % columns !== column);
    return { quiet, strong };
  }

  const hoveredRow = (/** @type {Chosen} */ state) =>
    state.hover && state.hover[0] >= 0 && state.hover[0] < app.seen.rowsAt(state.kind, state.step)
      ? state.hover[0]
      : null;

  /**
   * @param {Drawing} context
   * @param {Chosen} state
   * @param {number | null} row
   * @param {number} live
   * @param {number[] | null} held
   * @param {Record<"keys" | "queries", [number, number][]>} ends
   */
  function labels(context, state, row, live, held, ends) {
    const { keys, queries, left, right, keyY, queryY, keyGap, queryGap, part } = shape;
    const { theme } = app;
    const column = held ? held[1] : (state.hover?.[1] ?? -1);
    const found = state.found ?? [-1, -1];
    drawSide(context, theme, {
      ...{ labels: keys, from: part.left, to: part.right, y: keyY, gap: keyGap, x: left - 7, align: "right" },
      ...{ chosen: [column, found[1]], ends: ends.keys, colour: () => theme.muted },
    });
    drawSide(context, theme, {
      ...{ labels: queries, from: part.top, to: part.bottom, y: queryY, gap: queryGap, x: right + 7, align: "left" },
      ...{ chosen: [row ?? -1, found[0]], ends: ends.queries },
      colour: (at) => (at < live ? theme.muted : theme.quiet),
    });
  }

  /**
   * Where something lies among the queries and the keys in view, as shares of their heights.
   * @param {{ clientY: number }} event
   */
  function shares({ clientY }) {
    const { part, keyY, queryY, keyGap, queryGap } = shape;
    const [tall, wide] = sizeOf(part);
    const y = clientY - canvas.getBoundingClientRect().top;
    return [((y - queryY(part.top)) / queryGap + 0.5) / tall, ((y - keyY(part.left)) / keyGap + 0.5) / wide];
  }

  /** @param {{ clientX: number }} event */
  const onKeys = ({ clientX }) => clientX - canvas.getBoundingClientRect().left < (shape.left + shape.right) / 2;

  /**
   * The half of the surface that queries have, or keys.
   * @param {{ clientX: number }} at
   */
  function area(at) {
    const { part, keyY, queryY, keyGap, queryGap } = shape;
    const [tall, wide] = sizeOf(part);
    const [width] = app.sizes.of(surface);
    const middle = (shape.left + shape.right) / 2;
    return onKeys(at)
      ? { left: 0, width: middle, top: keyY(part.left) - keyGap / 2, height: wide * keyGap }
      : { left: middle, width: width - middle, top: queryY(part.top) - queryGap / 2, height: tall * queryGap };
  }

  /**
   * The token nearest to what happened: [query, -1], [-1, key], or null beside them all.
   * @param {MouseEvent} event
   */
  function tokenAt(event) {
    if (!shape) return null;
    const { part } = shape;
    const [down, across] = shares(event);
    const [rows, columns] = sizeOf(part);
    const at = onKeys(event)
      ? [-1, part.left + Math.floor(across * columns)]
      : [part.top + Math.floor(down * rows), -1];
    return Math.max(...at) >= 0 && holds(part, at) ? at : null;
  }

  surface.onpointermove = (event) => store.set({ hover: tokenAt(event), pointed: true });
  surface.onpointerleave = () => store.set({ hover: null });
  surface.onclick = (event) => {
    // a finger that taps has pointed at nothing before
    const { kind, step } = store.get();
    const token = tokenAt(event);
    if (!token) return;
    if (isDecoder(kind) && token[0] >= app.seen.rowsAt(kind, step)) store.set({ step: app.seen.stepAt(token[0]) });
    else holdToken(app, token);
  };

  return {
    element,
    surface,
    shares,
    axes: (/** @type {{ clientX: number }} */ at) => [!onKeys(at), onKeys(at)],
    area,
    /** How it lies, null until it is drawn or while it is hidden. */
    form: () => (app.sizes.of(surface)[0] > 0 ? shape : null),
    /** @param {Chosen} state */
    render(state) {
      draw(state);
      slider.render(state.threshold, state.threshold.toFixed(2));
    },
    drawn: () => drawn,
    /**
     * Finds the lines of a head that may be asked for next.
     * @param {Chosen} state
     */
    ahead(state) {
      if (shape) own(state, state.layer, state.head, app.seen.rowsAt(state.kind, state.step), app.held(state));
    },
  };
}
