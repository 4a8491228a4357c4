// @ts-check
// The chosen head as lines between tokens: keys on the left, queries on the right.
import { attribute, h, text } from "./dom.js";
import { holds, sizeOf } from "../data/part.js";
import { isDecoder } from "../data/seen.js";
import { strongest } from "../data/strongest.js";
import { holdToken } from "../keys.js";
import { createOverlay, MOST as HEADS } from "./overlay.js";
import { drawLabel, labelsOf, Memo, prepare, sized, stride } from "./paint.js";
import { format, near, wholePercent } from "../data/text.js";

/** @import { Chosen, Drawing, Inspecting, Label } from "../types" */
/** @import { Strongest } from "../data/strongest.js" */

const MOST = 1200; // curves a frame
const [SPACING, ROOM, BANDS, BESIDE] = [28, 16, 6, 2];

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
  function layout(state, width, height, context) {
    const { kind, words: inWords } = state;
    const model = app.seen;
    const part = app.part(state);
    const [tall, wide] = sizeOf(part);
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
      [said, held ? words.lines_held : "", state.zoom ? words.lines_zoomed : "", all.length > 1 ? words.lines_each : ""]
        .filter(Boolean)
        .join(" · "),
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
    const { part, site } = shape;
    const key = `${live}|${state.threshold}|${held}|${most}|${Object.values(part)}`;
    const last = chosen.get(values.weights);
    if (last?.key === key) return { ...last, values };
    const made = {
      key,
      head: [layer, head],
      ...strongest(values.weights, live, site.columns, state.threshold, most, held, part),
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
    const { keys, queries, left, right, keyY, queryY, keyGap, queryGap, part } = shape;
    const { theme } = app;
    context.font = `14px ${theme.font}`;
    /**
     * @param {Label[]} items
     * @param {number[]} range the first in view, and the first beyond
     * @param {(index: number) => number} y
     * @param {number} gap
     * @param {number} x
     * @param {"left" | "right"} align
     * @param {number[]} chosen
     * @param {(index: number) => string} colour
     */
    const side = (items, [from, to], y, gap, x, align, chosen, colour) => {
      const every = stride(gap, ROOM);
      for (let index = from; index < to; index += 1) {
        const own = chosen.includes(index);
        const near = chosen.some((other) => other >= 0 && Math.abs(index - other) * gap < ROOM);
        if (!own && (near || (index - from) % every)) continue;
        if (own) context.font = `600 14px ${theme.font}`;
        const label = own ? sized(items[index], context) : items[index];
        drawLabel(context, label, x, y(index), align, colour(index), theme);
        if (own) context.font = `14px ${theme.font}`;
      }
    };
    const column = held ? held[1] : (state.hover?.[1] ?? -1);
    const [keysChosen, queriesChosen] = [
      [column, state.found?.[1] ?? -1],
      [row ?? -1, state.found?.[0] ?? -1],
    ];
    side(keys, [part.left, part.right], keyY, keyGap, left - 7, "right", keysChosen, (at) =>
      keysChosen.includes(at) ? theme.text : theme.muted,
    );
    side(queries, [part.top, part.bottom], queryY, queryGap, right + 7, "left", queriesChosen, (at) =>
      queriesChosen.includes(at) ? theme.text : at < live ? theme.muted : theme.quiet,
    );
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
