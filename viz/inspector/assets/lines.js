// The chosen head as lines between tokens: keys on the left, queries on the right.
import { attribute, h, text } from "./dom.js";
import { isDecoder } from "./model.js";
import { drawLabel, labelsOf, Memo, prepare, sized, stride } from "./paint.js";
import { format, near, wholePercent } from "./text.js";

const MOST = 1200; // curves a frame
const [SPACING, ROOM, BANDS] = [28, 16, 6];

/**
 * The weights over `threshold` in the rows up to `live`, largest first and at most `MOST`,
 * and the share of all the mass that they leave out.
 */
export function strongest(weights, live, columns, threshold, most = MOST) {
  const found = [];
  let total = 0;
  for (let at = 0; at < live * columns; at += 1) {
    total += weights[at];
    if (weights[at] > threshold) found.push(at);
  }
  const capped = found.length > most;
  if (capped) {
    found.sort((a, b) => weights[b] - weights[a]);
    found.length = most;
  }
  const shown = found.reduce((sum, at) => sum + weights[at], 0);
  return { found, capped, hidden: total > 0 ? Math.max(0, 1 - shown / total) : 0 };
}

export function createLines(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-lines-canvas" });
  const surface = h("div", { class: "hl-lines-surface" }, canvas);
  const slider = h("input", { type: "range", min: "0", max: "0.5", step: "0.01", "aria-label": words.threshold, "data-testid": "hl-threshold" });
  const note = h("span", { "data-testid": "hl-lines-note" });
  const element = h("div", { class: "hl-lines", "data-testid": "hl-lines" },
    h("div", { class: "hl-lines-heads" }, h("span", {}, words.axis_key), h("span", {}, words.axis_query)),
    surface, h("label", { class: "hl-note hl-lines-note" }, slider, note));
  slider.oninput = () => store.set({ threshold: Number(slider.value) });
  slider.onkeydown = (event) => event.stopPropagation();
  const axes = new Memo(6);
  let shape = null;
  let drawn = { lines: 0, hidden: 0 };

  function layout(kind, width, height, context) {
    const model = app.seen;
    const site = model.sites.get(kind);
    const font = `14px ${app.theme.font}`;
    const limit = Math.floor(width * 0.32);
    const { keys, queries } = axes.get(`${kind}|${site.rows}x${site.columns}|${limit}|${font}`, () => ({
      keys: labelsOf(model.keys(kind), context, font, limit), queries: labelsOf(model.queries(kind), context, font, limit),
    }));
    const side = (labels) => labels.reduce((most, label) => Math.max(most, label.width * 1.08), 12);
    const [left, right] = [side(keys) + 10, width - side(queries) - 10];
    const spread = (count) => Math.min(SPACING, (height - 20) / count);
    const middle = Math.min(height, Math.max(spread(site.rows) * site.rows, spread(site.columns) * site.columns) + 20) / 2;
    const at = (count) => {
      const gap = spread(count);
      return (index) => middle + (index - (count - 1) / 2) * gap;
    };
    return { site, keys, queries, left, right, keyY: at(site.columns), queryY: at(site.rows), keyGap: spread(site.columns), queryGap: spread(site.rows) };
  }

  function draw(state) {
    const [width, height] = app.sizes.of(surface);
    const model = app.seen;
    if (width === 0 || height === 0 || model.kinds.length === 0) return;
    const { context } = prepare(canvas, width, height);
    shape = layout(state.kind, width, height, context);
    const head = app.current();
    const { columns } = shape.site;
    const live = model.rowsAt(state.kind, state.step);
    const { found, capped, hidden } = strongest(head.weights, live, columns, state.threshold);
    const row = hoveredRow(state) ?? app.focusRow(state);
    curves(context, head.weights, found, row, state.hover?.[0] < 0 ? state.hover[1] : null);
    labels(context, state, row, live);
    text(note, format(capped ? words.lines_capped : words.lines_note, {
      threshold: state.threshold.toFixed(2), count: found.length, hidden: near(head.status, wholePercent(hidden)),
    }));
    drawn = { lines: found.length, hidden, capped };
  }

  const hoveredRow = (state) => (state.hover && state.hover[0] >= 0 && state.hover[0] < app.seen.rowsAt(state.kind, state.step) ? state.hover[0] : null);

  /** Faded ones first, in bands of equal width so that each band is one path. */
  function curves(context, weights, found, row, column) {
    const { site, left, right, keyY, queryY } = shape;
    const bend = (right - left) / 2;
    const bands = Array.from({ length: BANDS }, () => new Path2D());
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
    const colour = app.theme.hues[site.kind];
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

  function labels(context, state, row, live) {
    const { keys, queries, left, right, keyY, queryY, keyGap, queryGap } = shape;
    const { theme } = app;
    context.font = `14px ${theme.font}`;
    const side = (items, y, gap, x, align, chosen, colour) => {
      const every = stride(gap, ROOM);
      items.forEach((label, index) => {
        if (index !== chosen && (index % every || (chosen >= 0 && Math.abs(index - chosen) * gap < ROOM))) return;
        if (index === chosen) context.font = `600 14px ${theme.font}`;
        drawLabel(context, index === chosen ? sized(label, context) : label, x, y(index), align, colour(index), theme);
        if (index === chosen) context.font = `14px ${theme.font}`;
      });
    };
    const column = state.hover?.[1] ?? -1;
    side(keys, keyY, keyGap, left - 7, "right", column, (at) => (at === column ? theme.text : theme.muted));
    side(queries, queryY, queryGap, right + 7, "left", row ?? -1,
      (at) => (at === row ? theme.text : at < live ? theme.muted : theme.faint));
  }

  surface.onpointermove = (event) => {
    if (!shape) return;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const onKeys = x < (shape.left + shape.right) / 2;
    const [count, gap, first] = onKeys ? [shape.site.columns, shape.keyGap, shape.keyY(0)] : [shape.site.rows, shape.queryGap, shape.queryY(0)];
    const at = Math.round((y - first) / gap);
    store.set({ hover: at < 0 || at >= count ? null : onKeys ? [-1, at] : [at, -1], pointed: true });
  };
  surface.onpointerleave = () => store.set({ hover: null });
  surface.onclick = () => {
    const { hover, kind } = store.get();
    if (hover && hover[0] >= 0 && isDecoder(kind)) store.set({ step: app.seen.stepAt(hover[0]) });
  };

  return {
    element,
    render(state) {
      draw(state);
      if (Number(slider.value) !== state.threshold) slider.value = String(state.threshold);
      attribute(slider, "aria-valuetext", state.threshold.toFixed(2));
    },
    drawn: () => drawn,
  };
}
