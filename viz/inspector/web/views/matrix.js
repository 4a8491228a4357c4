// @ts-check
// The chosen head, large: labels, cells, hatches, the row of the step, values.
import { inkOn, STEPS } from "./colour.js";
import { bitmap, density, hatched, hatchRows, markRow, pixels, prepare } from "./paint.js";
import { Memo } from "../data/memo.js";
import { cut, holds, sizeOf } from "../data/part.js";
import { attribute, axisNames, h, placeNames, walkable } from "./dom.js";
import { pickCell } from "../keys.js";
import { Layout } from "./layout.js";
import { createMatrixNames } from "./matrixnames.js";
import { headOf } from "../data/seen.js";
import { near } from "../data/text.js";

/** @import { App, Drawing, HeadState, Shade, Shown } from "../types" */
/** @typedef {ReturnType<Layout["of"]> & { head: [number, number, (number[] | null)?] }} Form */
/** @typedef {Record<"rows" | "columns", import("./matrixnames.js").Named>} Labels */

/**
 * @param {App} app
 * @param {string} help what keys do over it
 */
export function createMatrix(app, help = app.words.matrix_help) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-matrix-canvas" });
  const surface = walkable(canvas, app.live, { class: "hl-surface", "data-testid": "hl-matrix" });
  const names = axisNames(words);
  const element = h("div", { class: "hl-matrix" }, ...names, surface, app.tip.element);
  const [bitmaps, masks] = [new Memo(24), new Memo(4)];
  const tokens = createMatrixNames(app);
  const layout = new Layout(app, surface);
  let shape = /** @type {Form} */ (/** @type {unknown} */ (null)); // until it is drawn
  /**
   * @type {{
   *   values: number, forbidden: number, unwritten: number, printed?: [number, number, string][], labels: Labels,
   * }}
   */
  let drawn = { values: 0, forbidden: 0, unwritten: 0, labels: { rows: [], columns: [] } };

  /**
   * Cells in view as a bitmap of at most one point a screen pixel, kept for the heads seen last.
   * @param {HeadState} state
   * @param {Shown} shown
   * @param {Shade} shade
   */
  function picture(state, { values, drawn: kept = values, share = 0, status, cut: end }, shade) {
    const { site, part } = shape;
    const [rows, columns] = sizeOf(part);
    const [w, t] = [pixels(columns, shape.width), pixels(rows, shape.height)];
    const key = [
      app.traceKey(state),
      `${state.kind}/${state.layer}/${state.head}`,
      status,
      end ?? "",
      share,
      `${part.top},${part.left}+${rows}x${columns}`,
      `${w}x${t}`,
      `${shade.low}..${shade.high}`,
      app.theme.key,
    ].join("|");
    return bitmaps.get(key, () => bitmap(cut(kept, site.columns, part), rows, columns, t, w, shade));
  }

  /**
   * The cells in view that are not drawn, hatched.
   * @param {HeadState} state
   * @param {Shown} shown
   * @param {Uint8Array} open cells that are drawn
   */
  function forbidden(state, { status, cut: end }, open) {
    const { site, part, head } = shape;
    const [rows, columns] = sizeOf(part);
    const put = app.seen.isPut(site.kind, ...head) && [app.traceKey(state), ...head, status, end].join("/");
    const key = [
      put || app.seen.maskOf(site.kind, ...head),
      shape.inWords,
      `${part.top},${part.left}+${rows}x${columns}`,
      `${shape.width}x${shape.height}@${density()}`,
      app.theme.key,
    ].join("|");
    return masks.get(key, () => {
      const seen = cut(open, site.columns, part);
      return hatched(seen, rows, columns, shape.width, shape.height, app.theme, "forbidden");
    });
  }

  /** @param {HeadState} state */
  function draw(state) {
    const [width, height] = app.sizes.of(surface);
    const model = app.seen;
    if (width === 0 || height === 0) return;
    const context = prepare(canvas, width, height);
    const shown = app.shown(state);
    const shade = app.shade(state, shown.values);
    shape = { ...layout.of(state, context), head: headOf(state) };
    const { left, top, part } = shape;
    const live = model.rowsAt(state.kind, state.step);
    const written = Math.min(Math.max(live - part.top, 0), sizeOf(part)[0]); // rows in view
    const points = picture(state, shown, shade);
    const cells = model.drawn(state.kind, shape.head, shown.values, shown.status);
    const mask = forbidden(state, shown, cells);
    const share = written / sizeOf(part)[0];
    context.imageSmoothingEnabled = false;
    context.drawImage(points, 0, 0, points.width, points.height * share, left, top, shape.width, shape.height * share);
    if (mask)
      context.drawImage(mask, 0, 0, mask.width, mask.height * share, left, top, shape.width, shape.height * share);
    const first = part.top + written;
    if (live < part.bottom)
      hatchRows(context, app.theme, [left, shape.y(first), shape.width, (part.bottom - first) * shape.tall]);
    rules(context);
    if (shown.drawn) dots(context, shown.values, shown.drawn, live);
    const printed = numbers(context, state, shown, shade, live, cells);
    const labels = {
      rows: tokens.rows(context, shape, state, live),
      columns: tokens.columns(context, shape, state),
    };
    outline(context, state);
    placeNames(names, shape);
    const { rows, columns } = shape.site;
    const put = model.isPut(state.kind, ...shape.head);
    const open = put
      ? cells.subarray(0, live * columns).reduce((sum, one) => sum + one, 0)
      : model.openCells(state.kind, live, ...shape.head);
    drawn = { values: open, forbidden: live * columns - open, unwritten: (rows - live) * columns, printed, labels };
  }

  /** @param {Drawing} context */
  function rules(context) {
    const { left, top, cell, tall, part } = shape;
    context.fillStyle = app.theme.background;
    if (cell >= 9)
      for (let c = part.left + 1; c < part.right; c += 1) context.fillRect(shape.x(c) - 0.5, top, 1, shape.height);
    if (tall >= 9)
      for (let r = part.top + 1; r < part.bottom; r += 1) context.fillRect(left, shape.y(r) - 0.5, shape.width, 1);
    context.strokeStyle = app.theme.line;
    context.lineWidth = 1;
    context.strokeRect(left - 0.5, top - 0.5, shape.width + 1, shape.height + 1);
  }

  /**
   * A dot marks a weight that is not drawn: it is no zero.
   * @param {Drawing} context
   * @param {Float32Array} values
   * @param {Float32Array} kept
   * @param {number} live
   */
  function dots(context, values, kept, live) {
    const { cell, tall, site, part } = shape;
    if (cell < 9 || tall < 9) return;
    context.fillStyle = app.theme.faint;
    for (let r = part.top; r < Math.min(live, part.bottom); r += 1)
      for (let c = part.left; c < part.right; c += 1) {
        const at = r * site.columns + c;
        if (kept[at] === 0 && values[at] !== 0) context.fillRect(shape.x(c + 0.5) - 1, shape.y(r + 0.5) - 1, 2, 2);
      }
  }

  /**
   * Three digits in the row of the step, the pinned and the hovered cell, where they fit.
   * @param {Drawing} context
   * @param {HeadState} state
   * @param {Shown} shown
   * @param {Shade} shade
   * @param {number} live
   * @param {Uint8Array} open cells that are drawn
   */
  function numbers(context, state, { values, drawn: kept = values, status }, { table, low, high }, live, open) {
    const { cell, tall, site, part } = shape;
    if (cell < 28 || tall < 14) return [];
    context.font = `${cell < 34 ? 11 : 12}px ${app.theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const row = app.focusRow(state);
    const chosen = [app.pinned(state), state.hover].flatMap((at) =>
      at && Math.min(...at) >= 0 ? [at[0] * site.columns + at[1]] : [],
    );
    const printed = new Set(chosen);
    const whole = (/** @type {number} */ r, /** @type {number} */ c) =>
      Math.abs(kept[r * site.columns + c]) >= 0.05 && printed.add(r * site.columns + c);
    const held = app.held?.(state) ?? [-1, -1];
    for (const r of [row, held[0]]) for (let c = part.left; r !== null && r >= 0 && c < part.right; c += 1) whole(r, c);
    for (let r = part.top; held[1] >= 0 && r < Math.min(live, part.bottom); r += 1) whole(r, held[1]);
    /** @type {[number, number, string][]} */
    const out = [];
    printed.forEach((at) => {
      const [r, c] = [Math.floor(at / site.columns), at % site.columns];
      if (r < 0 || c < 0 || r >= live || !holds(part, [r, c]) || !open[at]) return;
      const said = near(status, app.cellText(state, values[at]), "≈");
      if (!chosen.includes(at) && context.measureText(said).width > cell - 2) return; // beside others
      const share = Math.min(1, Math.max(0, (values[at] - low) / (high - low)));
      context.fillStyle = inkOn(table[Math.round(share * (STEPS - 1))]);
      context.fillText(said, shape.x(c + 0.5), shape.y(r + 0.5) + 0.5);
      out.push([r, c, said]);
    });
    return out;
  }

  /** @type {(context: Drawing, state: HeadState) => void} */
  function outline(context, state) {
    const { left, top, cell, tall, part } = shape;
    const row = app.markedRow(state);
    if (row !== null && holds(part, [row, -1]))
      markRow(context, left, shape.y(row), shape.width, tall, app.theme.accent);
    context.strokeStyle = app.theme.text;
    [state.found, app.held?.(state)].forEach((at, index) => {
      const [r, c] = at ?? [-1, -1];
      context.lineWidth = index + 1;
      if (r >= 0 && holds(part, [r, -1])) context.strokeRect(left, shape.y(r), shape.width, Math.max(tall, 3));
      if (c >= 0 && holds(part, [-1, c])) context.strokeRect(shape.x(c), top, Math.max(cell, 3), shape.height);
    });
    [state.hover, app.pinned(state)].forEach((at, index) => {
      if (!at || at[0] < 0 || at[1] < 0 || !holds(part, at)) return;
      context.lineWidth = index + 1;
      context.strokeRect(shape.x(at[1]), shape.y(at[0]), Math.max(cell, 3), Math.max(tall, 3));
    });
  }

  /**
   * Where something lies in the cells in view, as shares of their height and width.
   * @param {{ clientX: number, clientY: number }} event
   */
  function shares({ clientX, clientY }) {
    const box = canvas.getBoundingClientRect();
    return [(clientY - box.top - shape.top) / shape.height, (clientX - box.left - shape.left) / shape.width];
  }

  /** @param {MouseEvent} event */
  function cellAt(event) {
    if (!shape) return null;
    const [down, across] = shares(event);
    const [rows, columns] = sizeOf(shape.part);
    const [inRows, inColumns] = [down >= 0 && down < 1, across >= 0 && across < 1];
    const [row, column] = [shape.part.top + Math.floor(down * rows), shape.part.left + Math.floor(across * columns)];
    if (inRows && inColumns) return [row, column];
    if (across < 0 && inRows) return [row, -1];
    if (down < 0 && inColumns) return [-1, column];
    return null;
  }
  surface.onpointermove = (event) => store.set({ hover: cellAt(event), pointed: true });
  surface.onpointerleave = () => store.set({ hover: null });
  surface.onclick = (event) => {
    const at = cellAt(event);
    if (at) pickCell(app, at);
  };
  surface.onblur = () => store.set({ hover: null });
  surface.onkeydown = (event) => app.cursor(event);

  return {
    element,
    surface,
    layout,
    shares,
    axes: () => [true, true],
    area: () => shape,
    /** How it lies, null until it is drawn or while it is hidden. */
    form: () => (app.sizes.of(surface)[0] > 0 ? shape : null),
    /** @param {HeadState} state */
    render(state) {
      draw(state);
      attribute(surface, "aria-label", `${app.title(state)}. ${help}`);
    },
    /**
     * Where a cell [row, column] lies, a row or a column alone where it begins; null before anything does.
     * @param {number[] | null} at
     */
    box(at) {
      if (!at || !shape) return null;
      const [row, column] = at.map((place) => Math.max(place, 0));
      return { x: shape.x(column), y: shape.y(row), width: shape.cell, height: shape.tall };
    },
    drawn: () => drawn,
    /**
     * Makes the picture of a head that may be asked for next.
     * @param {HeadState} state
     */
    ahead(state) {
      const shown = app.shown(state);
      if (shape) picture(state, shown, app.shade(state, shown.values));
    },
  };
}
