// @ts-check
// The chosen head as lines between tokens: keys on the left, queries on the right.
import { attribute, h, text } from "./dom.js";
import { isDecoder } from "../data/seen.js";
import { holdToken } from "../keys.js";
import { createOverlay, MOST as HEADS } from "./overlay.js";
import { drawLabel, labelsOf, Memo, prepare, sized, stride } from "./paint.js";
import { format, near, wholePercent } from "../data/text.js";

/** @import { Chosen, Drawing, Inspecting, Label } from "../types" */
/**
 * Cells over a threshold, as `over` finds them.
 * @typedef {{
 *   threshold: number, found: number[], ends: Int32Array, mass: Float64Array, under: Float64Array,
 * }} Over
 */
/** @typedef {ReturnType<typeof strongest>} Strongest */

const MOST = 1200; // curves a frame
const [SPACING, ROOM, BANDS, BESIDE] = [28, 16, 6, 2];

/** @type {WeakMap<Float32Array, Over>} */
const known = new WeakMap();

/**
 * The cells over `threshold` in reading order, and for each row how many of them stand before it
 * (`ends`) and what all weights before it sum to (`mass`), and those that are no lines (`under`):
 * a step is a slice.
 * @param {Float32Array} weights
 * @param {number} columns
 * @param {number} threshold
 * @returns {Over}
 */
function over(weights, columns, threshold) {
  const last = known.get(weights);
  if (last?.threshold === threshold) return last;
  const rows = weights.length / columns;
  /** @type {number[]} */
  const found = [];
  const [ends, mass, under] = [new Int32Array(rows + 1), new Float64Array(rows + 1), new Float64Array(rows + 1)];
  for (let row = 0, at = 0, total = 0, rest = 0; row < rows; row += 1) {
    for (const end = at + columns; at < end; at += 1) {
      total += weights[at];
      if (weights[at] > threshold) found.push(at);
      else rest += weights[at];
    }
    [ends[row + 1], mass[row + 1], under[row + 1]] = [found.length, total, rest];
  }
  const made = { threshold, found, ends, mass, under };
  known.set(weights, made);
  return made;
}

/**
 * The weights over `threshold` in the rows up to `live`, largest first where they are more than
 * `most`, which is how many there are at most, and the share of all the mass that they leave out.
 * `only` is a row [row, -1] or a column [-1, column]: of that alone.
 * @param {Float32Array} weights
 * @param {number} live
 * @param {number} columns
 * @param {number} threshold
 * @param {number} most
 * @param {number[] | null} only
 */
export function strongest(weights, live, columns, threshold, most = MOST, only = null) {
  const { found: all, ends, mass, under } = over(weights, columns, threshold);
  const [row, column] = only ?? [-1, -1];
  const [from, to] = row < 0 ? [0, live] : [row, row < live ? row + 1 : row];
  let found = all.slice(ends[from], ends[to]);
  let total = mass[to] - mass[from];
  let gone = under[to] - under[from]; // added up, not what the lines leave of the total: nothing is exactly 0
  if (column >= 0) {
    found = found.filter((at) => at % columns === column);
    total = gone = 0;
    for (let at = column; at < live * columns; at += columns) {
      total += weights[at];
      if (!(weights[at] > threshold)) gone += weights[at];
    }
  }
  const capped = found.length > most;
  if (capped) {
    found.sort((a, b) => weights[b] - weights[a]);
    gone += found.slice(most).reduce((sum, at) => sum + weights[at], 0);
    found.length = most;
  }
  return { found, capped, total, hidden: total > 0 ? gone / total : 0 };
}

/** @param {Inspecting} app */
export function createLines(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-lines-canvas" });
  const surface = h("div", { class: "hl-lines-surface" }, canvas);
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "0.5",
    step: "0.01",
    "aria-label": words.threshold,
    "data-testid": "hl-threshold",
  });
  const note = h("span", { "data-testid": "hl-lines-note" });
  const overlay = createOverlay(app);
  const element = h(
    "div",
    { class: "hl-lines", "data-testid": "hl-lines" },
    h("div", { class: "hl-lines-heads" }, h("span", {}, words.axis_key), h("span", {}, words.axis_query)),
    surface,
    overlay.element,
    h("label", { class: "hl-note hl-lines-note" }, slider, note),
  );
  slider.oninput = () => store.set({ threshold: Number(slider.value) });
  slider.onkeydown = (event) => event.stopPropagation();
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
  function layout({ kind, words: inWords }, width, height, context) {
    const model = app.seen;
    const site = model.site(kind);
    const font = `14px ${app.theme.font}`;
    const limit = Math.floor(width * 0.32);
    const { keys, queries } = axes.get(`${kind}|${inWords}|${limit}|${font}`, () => ({
      keys: labelsOf(model.keys(kind), context, font, limit),
      queries: labelsOf(model.queries(kind), context, font, limit),
    }));
    const side = (/** @type {Label[]} */ names) =>
      names.reduce((most, label) => Math.max(most, label.width * 1.08), 12);
    const [left, right] = [side(keys) + 10, width - side(queries) - 10];
    const spread = (/** @type {number} */ count) => Math.min(SPACING, (height - 20) / count);
    const middle =
      Math.min(height, Math.max(spread(site.rows) * site.rows, spread(site.columns) * site.columns) + 20) / 2;
    const at = (/** @type {number} */ count) => {
      const gap = spread(count);
      return (/** @type {number} */ index) => middle + (index - (count - 1) / 2) * gap;
    };
    return {
      site,
      keys,
      queries,
      left,
      right,
      keyY: at(site.columns),
      queryY: at(site.rows),
      keyGap: spread(site.columns),
      queryGap: spread(site.rows),
    };
  }

  /** @param {Chosen} state */
  function draw(state) {
    const [width, height] = app.sizes.of(surface);
    const model = app.seen;
    if (width === 0 || height === 0 || model.kinds.length === 0) return;
    const { context } = prepare(canvas, width, height);
    shape = layout(state, width, height, context);
    const live = model.rowsAt(state.kind, state.step);
    const held = app.held(state);
    const all = app.heads(state).map(([layer, head]) => own(state, layer, head, live, held));
    const row = held ? held[0] : (hoveredRow(state) ?? app.focusRow(state));
    const column = held ? held[1] : state.hover && state.hover[0] < 0 ? state.hover[1] : null;
    all.forEach(({ values, found }, at) =>
      curves(context, values.weights, found, row, column, {
        colour: all.length > 1 ? app.theme.several[at] : app.theme.hues[state.kind],
        aside: (at - (all.length - 1) / 2) * BESIDE, // heads that draw the same line are seen side by side
      }),
    );
    labels(context, state, row, live, held);
    const sum = (/** @type {(one: ReturnType<typeof own>) => number} */ of) =>
      all.reduce((mass, one) => mass + of(one), 0);
    const [total, count] = [sum((one) => one.total), sum(({ found }) => found.length)];
    const hidden = total > 0 ? sum((one) => one.hidden * one.total) / total : 0;
    const status = all.every(({ values }) => values.status === "exact") ? "exact" : "loading";
    const capped = all.some((one) => one.capped);
    const said = format(capped ? words.lines_capped : words.lines_note, {
      threshold: state.threshold.toFixed(2),
      count,
      hidden: near(status, wholePercent(hidden)),
    });
    text(
      note,
      [said, held ? words.lines_held : "", all.length > 1 ? words.lines_each : ""].filter(Boolean).join(" · "),
    );
    overlay.render(
      state,
      all.map((one) => ({ head: one.head, hidden: near(one.values.status, wholePercent(one.hidden)) })),
    );
    drawn = {
      lines: count,
      hidden,
      capped,
      status,
      heads: all.map((one) => ({ head: one.head.map((at) => at + 1), lines: one.found.length, hidden: one.hidden })),
    };
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
    const most = Math.floor(MOST / Math.min(app.heads(state).length, HEADS));
    const key = `${live}|${state.threshold}|${held}|${most}`;
    const last = chosen.get(values.weights);
    if (last?.key === key) return { ...last, values };
    const made = {
      key,
      head: [layer, head],
      ...strongest(values.weights, live, shape.site.columns, state.threshold, most, held),
    };
    chosen.set(values.weights, made);
    return { ...made, values };
  }

  const hoveredRow = (/** @type {Chosen} */ state) =>
    state.hover && state.hover[0] >= 0 && state.hover[0] < app.seen.rowsAt(state.kind, state.step)
      ? state.hover[0]
      : null;

  /**
   * Faded ones first, in bands of equal width so that each band is one path.
   * @param {Drawing} context
   * @param {Float32Array} weights
   * @param {number[]} found
   * @param {number | null} row
   * @param {number | null} column
   * @param {{ colour: string, aside: number }} how
   */
  function curves(context, weights, found, row, column, { colour, aside }) {
    const { site, left, right } = shape;
    const keyY = (/** @type {number} */ at) => shape.keyY(at) + aside;
    const queryY = (/** @type {number} */ at) => shape.queryY(at) + aside;
    const bend = (right - left) / 2;
    const bands = Array.from({ length: BANDS }, () => new Path2D());
    /** @type {number[]} */
    const strong = [];
    for (const at of found) {
      const [r, c] = [Math.floor(at / site.columns), at % site.columns];
      if (r === row || c === column) {
        strong.push(at);
        continue;
      }
      const path = bands[Math.min(BANDS - 1, Math.floor(weights[at] * BANDS))];
      path.moveTo(left, keyY(c));
      path.bezierCurveTo(left + bend, keyY(c), right - bend, queryY(r), right, queryY(r));
    }
    const quiet = row === null && column === null ? 0.75 : 0.26;
    context.strokeStyle = colour;
    context.lineCap = "round";
    bands.forEach((path, band) => {
      context.globalAlpha = quiet * (0.25 + (0.75 * (band + 1)) / BANDS);
      context.lineWidth = 0.6 + (4.4 * (band + 0.5)) / BANDS;
      context.stroke(path);
    });
    for (const at of strong) {
      const [r, c] = [Math.floor(at / site.columns), at % site.columns];
      context.globalAlpha = 0.35 + 0.65 * weights[at];
      context.lineWidth = 1 + 5 * weights[at];
      context.beginPath();
      context.moveTo(left, keyY(c));
      context.bezierCurveTo(left + bend, keyY(c), right - bend, queryY(r), right, queryY(r));
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /**
   * @param {Drawing} context
   * @param {Chosen} state
   * @param {number | null} row
   * @param {number} live
   * @param {number[] | null} held
   */
  function labels(context, state, row, live, held) {
    const { keys, queries, left, right, keyY, queryY, keyGap, queryGap } = shape;
    const { theme } = app;
    context.font = `14px ${theme.font}`;
    /**
     * @param {Label[]} items
     * @param {(index: number) => number} y
     * @param {number} gap
     * @param {number} x
     * @param {"left" | "right"} align
     * @param {number} near the one that is chosen, -1 for none
     * @param {(index: number) => string} colour
     */
    const side = (items, y, gap, x, align, near, colour) => {
      const every = stride(gap, ROOM);
      items.forEach((label, index) => {
        if (index !== near && (index % every || (near >= 0 && Math.abs(index - near) * gap < ROOM))) return;
        if (index === near) context.font = `600 14px ${theme.font}`;
        drawLabel(context, index === near ? sized(label, context) : label, x, y(index), align, colour(index), theme);
        if (index === near) context.font = `14px ${theme.font}`;
      });
    };
    const column = held ? held[1] : (state.hover?.[1] ?? -1);
    side(keys, keyY, keyGap, left - 7, "right", column, (at) => (at === column ? theme.text : theme.muted));
    side(queries, queryY, queryGap, right + 7, "left", row ?? -1, (at) =>
      at === row ? theme.text : at < live ? theme.muted : theme.quiet,
    );
  }

  /**
   * The token nearest to what happened: [query, -1], [-1, key], or null beside them all.
   * @param {MouseEvent} event
   */
  function tokenAt(event) {
    if (!shape) return null;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const onKeys = x < (shape.left + shape.right) / 2;
    const [count, gap, first] = onKeys
      ? [shape.site.columns, shape.keyGap, shape.keyY(0)]
      : [shape.site.rows, shape.queryGap, shape.queryY(0)];
    const at = Math.round((y - first) / gap);
    return at < 0 || at >= count ? null : onKeys ? [-1, at] : [at, -1];
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
    /** @param {Chosen} state */
    render(state) {
      draw(state);
      if (Number(slider.value) !== state.threshold) slider.value = String(state.threshold);
      attribute(slider, "aria-valuetext", state.threshold.toFixed(2));
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
