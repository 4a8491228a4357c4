// @ts-check
// The chosen head, large: labels, cells, hatches, the row of the step, values.
import { hatch, inkOn, STEPS } from "./colour.js";
import {
  bitmap,
  drawColumnLabel,
  drawLabel,
  hatched,
  legible,
  markRow,
  Memo,
  pixels,
  prepare,
  sized,
} from "./paint.js";
import { pooled } from "../data/pooled.js";
import { attribute, axisNames, h, placeNames } from "./dom.js";
import { Layout } from "./layout.js";
import { headOf, isDecoder } from "../data/seen.js";
import { near } from "../data/text.js";

/** @import { App, Drawing, HeadState, Kind, Shade, Shown } from "../types" */
/** @typedef {ReturnType<Layout["of"]> & { head: [number, number, (number[] | null)?] }} Form */
/** @typedef {{ rows: [number, string][], columns: [number, string][] }} Labels */

const [ROOM, SLANT_ROOM] = [13, 14.5];

/**
 * @param {number | null | undefined} at
 * @returns {at is number}
 */
const there = (at) => typeof at === "number" && at >= 0;

/** @param {App} app */
export function createMatrix(app) {
  const { words, store } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-matrix-canvas" });
  const surface = h(
    "div",
    {
      class: "hl-surface",
      tabindex: "0",
      role: "group",
      "data-testid": "hl-matrix",
      "aria-describedby": app.live.id,
    },
    canvas,
  );
  const names = axisNames(words);
  const element = h("div", { class: "hl-matrix" }, ...names, surface, app.tip.element);
  const [bitmaps, masks, told] = [new Memo(24), new Memo(4), new Memo(8)];
  const layout = new Layout(app, surface);
  let shape = /** @type {Form} */ (/** @type {unknown} */ (null)); // until it is drawn
  /** @type {{ values: number, forbidden: number, unwritten: number, printed?: [number, number, string][], labels: Labels }} */
  let drawn = { values: 0, forbidden: 0, unwritten: 0, labels: { rows: [], columns: [] } };

  /**
   * Places of the labels that are drawn: first those of rows and columns that may be looked at.
   * @param {"rows" | "columns"} axis
   * @param {number} room
   */
  function labelled(axis, room) {
    const { kind, inWords, site, cell, tall, head } = shape;
    const size = axis === "rows" ? tall : cell;
    return told.get(`${axis}|${app.seen.maskOf(kind, ...head)}|${inWords}|${size}|${room}`, () => {
      const allowed = app.seen.allowed(kind, ...head);
      const lines = { rows: new Uint8Array(site.rows), columns: new Uint8Array(site.columns) };
      allowed.forEach((open, at) => {
        if (open) lines.rows[Math.floor(at / site.columns)] = lines.columns[at % site.columns] = 1;
      });
      return legible(lines[axis].length, size, room, (at) => lines[axis][at] === 1);
    });
  }

  /**
   * Cells as a bitmap of at most one point a screen pixel, kept for the heads seen last.
   * @param {HeadState} state
   * @param {Shown} shown
   * @param {Shade} shade
   * @param {number} ratio
   */
  function picture(state, { values, drawn: kept = values, share = 0, status, cut }, { table, low, high }, ratio) {
    const { site } = shape;
    const [w, t] = [pixels(site.columns, shape.width, ratio), pixels(site.rows, shape.height, ratio)];
    const key = `${app.traceKey(state)}|${state.kind}/${state.layer}/${state.head}|${status}|${cut ?? ""}|${share}|${w}x${t}|${low}..${high}|${app.theme.key}`;
    return bitmaps.get(key, () => bitmap(pooled(kept, site.rows, site.columns, t, w, low < 0), t, w, table, low, high));
  }

  /** @param {number} ratio */
  function forbidden(ratio) {
    const { site, head } = shape;
    const [w, t] = [pixels(site.columns, shape.width, ratio), pixels(site.rows, shape.height, ratio)];
    return masks.get(
      `${app.seen.maskOf(site.kind, ...head)}|${shape.inWords}|${shape.width}x${shape.height}@${ratio}|${app.theme.key}`,
      () =>
        hatched(
          pooled(app.seen.allowed(site.kind, ...head), site.rows, site.columns, t, w),
          t,
          w,
          shape.width,
          shape.height,
          ratio,
          (target) => hatch(target, app.theme, "forbidden", ratio),
        ),
    );
  }

  /** @param {HeadState} state */
  function draw(state) {
    const [width, height] = app.sizes.of(surface);
    const model = app.seen;
    if (width === 0 || height === 0 || model.kinds.length === 0) return;
    const { context, ratio } = prepare(canvas, width, height);
    const shown = app.shown(state);
    const shade = app.shade(state, shown.values);
    shape = { ...layout.of(state, context, ratio), head: headOf(state) };
    const { left, top, site } = shape;
    const live = model.rowsAt(state.kind, state.step);
    const points = picture(state, shown, shade, ratio);
    const mask = forbidden(ratio);
    const share = live / site.rows;
    context.imageSmoothingEnabled = false;
    context.drawImage(points, 0, 0, points.width, points.height * share, left, top, shape.width, shape.height * share);
    if (mask)
      context.drawImage(mask, 0, 0, mask.width, mask.height * share, left, top, shape.width, shape.height * share);
    if (live < site.rows) hatchRows(context, live, ratio);
    rules(context);
    if (shown.drawn) dots(context, shown.values, shown.drawn, live);
    const printed = numbers(context, state, shown, shade, live);
    const labels = { rows: rowLabels(context, state, live), columns: columnLabels(context, state) };
    outline(context, state);
    placeNames(names, shape);
    drawn = { ...count(state.kind, live), printed, labels };
  }

  /**
   * @param {Drawing} context
   * @param {number} live
   * @param {number} ratio
   */
  function hatchRows(context, live, ratio) {
    const [y, height] = [shape.top + live * shape.tall, (shape.site.rows - live) * shape.tall];
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0); // the tile is in device pixels
    context.fillStyle = hatch(context, app.theme, "unwritten", ratio);
    context.fillRect(shape.left * ratio, y * ratio, shape.width * ratio, height * ratio);
    context.restore();
  }

  /** @param {Drawing} context */
  function rules(context) {
    const { left, top, cell, tall, site } = shape;
    context.fillStyle = app.theme.background;
    if (cell >= 9)
      for (let c = 1; c < site.columns; c += 1) context.fillRect(left + c * cell - 0.5, top, 1, shape.height);
    if (tall >= 9) for (let r = 1; r < site.rows; r += 1) context.fillRect(left, top + r * tall - 0.5, shape.width, 1);
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
    const { cell, tall, left, top, site } = shape;
    if (cell < 9 || tall < 9) return;
    context.fillStyle = app.theme.faint;
    for (let at = 0; at < live * site.columns; at += 1) {
      if (kept[at] > 0 || values[at] === 0) continue;
      context.fillRect(
        left + ((at % site.columns) + 0.5) * cell - 1,
        top + (Math.floor(at / site.columns) + 0.5) * tall - 1,
        2,
        2,
      );
    }
  }

  /**
   * Three digits in the row of the step, the pinned and the hovered cell, where they fit.
   * @param {Drawing} context
   * @param {HeadState} state
   * @param {Shown} shown
   * @param {Shade} shade
   * @param {number} live
   */
  function numbers(context, state, { values, drawn: kept = values, status }, { table, low, high }, live) {
    const { cell, tall, left, top, site } = shape;
    if (cell < 28 || tall < 14) return [];
    context.font = `${cell < 34 ? 11 : 12}px ${app.theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const row = app.focusRow(state);
    const allowed = app.seen.allowed(state.kind, ...headOf(state));
    const chosen = [app.pinned(state), state.hover].flatMap((at) => (at ? [at[0] * site.columns + at[1]] : []));
    const printed = new Set(chosen);
    const whole = (/** @type {number} */ r, /** @type {number} */ c) =>
      Math.abs(kept[r * site.columns + c]) >= 0.05 && printed.add(r * site.columns + c);
    const held = app.held(state) ?? [-1, -1];
    for (const r of [row, held[0]]) for (let c = 0; r !== null && r >= 0 && c < site.columns; c += 1) whole(r, c);
    for (let r = 0; held[1] >= 0 && r < live; r += 1) whole(r, held[1]);
    /** @type {[number, number, string][]} */
    const out = [];
    printed.forEach((at) => {
      const [r, c] = [Math.floor(at / site.columns), at % site.columns];
      if (r < 0 || c < 0 || r >= live || !allowed[at]) return;
      const said = near(status, app.cellText(state, values[at]), "≈");
      if (!chosen.includes(at) && context.measureText(said).width > cell - 2) return; // beside others
      const share = Math.min(1, Math.max(0, (values[at] - low) / (high - low)));
      context.fillStyle = inkOn(table[Math.round(share * (STEPS - 1))]);
      context.fillText(said, left + (c + 0.5) * cell, top + (r + 0.5) * tall + 0.5);
      out.push([r, c, said]);
    });
    return out;
  }

  /**
   * @param {Drawing} context
   * @param {HeadState} state
   * @param {number} live
   */
  function rowLabels(context, state, live) {
    const { rows, left, top, tall } = shape;
    const fit = labelled("rows", ROOM);
    const focus = [app.focusRow(state), state.hover?.[0], app.pinned(state)?.[0], app.held(state)?.[0]].filter(there);
    /** @type {Labels["rows"]} */
    const out = [];
    const font = `${shape.rowSize}px ${app.theme.font}`;
    context.save();
    context.font = font; // once: setting a font is dear
    context.beginPath();
    context.rect(0, top - 8, left - 3, shape.height + 16);
    context.clip();
    rows.forEach((label, row) => {
      const chosen = focus.includes(row);
      if (!chosen && (!fit.has(row) || focus.some((other) => Math.abs(other - row) * tall < ROOM && tall < ROOM)))
        return;
      if (chosen) context.font = `600 ${font}`;
      const colour = row === focus[0] || chosen ? app.theme.text : row < live ? app.theme.muted : app.theme.quiet;
      drawLabel(
        context,
        chosen ? sized(label, context) : label,
        left - 7,
        top + (row + 0.5) * tall,
        "right",
        colour,
        app.theme,
        tall,
      );
      if (chosen) context.font = font;
      out.push([row, label.text]);
    });
    context.restore();
    return out;
  }

  /**
   * @param {Drawing} context
   * @param {HeadState} state
   */
  function columnLabels(context, state) {
    const { columns, left, top, cell, upright } = shape;
    const room = shape.flat ? 0 : SLANT_ROOM;
    const fit = labelled("columns", room);
    const focus = [state.hover?.[1], app.pinned(state)?.[1], app.held(state)?.[1]].filter(there);
    /** @type {Labels["columns"]} */
    const out = [];
    const font = `${shape.columnSize}px ${app.theme.font}`;
    context.font = font;
    columns.forEach((label, column) => {
      const chosen = focus.includes(column);
      if (!chosen && (!fit.has(column) || focus.some((other) => Math.abs(other - column) * cell < room && cell < room)))
        return;
      const colour = chosen ? app.theme.text : label.special ? app.theme.quiet : app.theme.muted;
      const x = left + (column + 0.5) * cell;
      if (chosen) context.font = `600 ${font}`;
      drawColumnLabel(context, chosen ? sized(label, context) : label, x, top - 2, upright, colour, app.theme);
      if (chosen) context.font = font;
      out.push([column, label.text]);
    });
    return out;
  }

  /**
   * @param {Drawing} context
   * @param {HeadState} state
   */
  function outline(context, state) {
    const { left, top, cell, tall } = shape;
    const row = app.focusRow(state);
    if (row !== null && state.step !== null && isDecoder(state.kind))
      markRow(context, left, top + row * tall, shape.width, tall, app.theme.accent);
    const [r, c] = app.held(state) ?? [-1, -1];
    context.strokeStyle = app.theme.text;
    context.lineWidth = 2;
    if (r >= 0) context.strokeRect(left, top + r * tall, shape.width, Math.max(tall, 3));
    if (c >= 0) context.strokeRect(left + c * cell, top, Math.max(cell, 3), shape.height);
    [state.hover, app.pinned(state)].forEach((at, index) => {
      if (!at || at[0] < 0 || at[1] < 0) return;
      context.lineWidth = index + 1;
      context.strokeRect(left + at[1] * cell, top + at[0] * tall, Math.max(cell, 3), Math.max(tall, 3));
    });
  }

  /**
   * @param {Kind} kind
   * @param {number} live
   */
  function count(kind, live) {
    const { site } = shape;
    const open = app.seen.openCells(kind, live, ...shape.head);
    return { values: open, forbidden: live * site.columns - open, unwritten: (site.rows - live) * site.columns };
  }

  /** @param {MouseEvent} event */
  function cellAt(event) {
    if (!shape) return null;
    const box = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - shape.left) / shape.cell);
    const row = Math.floor((event.clientY - box.top - shape.top) / shape.tall);
    const inside = column >= 0 && row >= 0 && column < shape.site.columns && row < shape.site.rows;
    if (inside) return [row, column];
    if (column < 0 && row >= 0 && row < shape.site.rows) return [row, -1];
    if (row < 0 && column >= 0 && column < shape.site.columns) return [-1, column];
    return null;
  }
  surface.onpointermove = (event) => store.set({ hover: cellAt(event), pointed: true });
  surface.onpointerleave = () => store.set({ hover: null });
  surface.onclick = (event) => {
    const at = cellAt(event);
    if (at) app.pick(at);
  };
  surface.onblur = () => store.set({ hover: null });
  surface.onkeydown = (event) => app.cursor(event);

  return {
    element,
    layout,
    /** @param {HeadState} state */
    render(state) {
      draw(state);
      attribute(surface, "aria-label", `${app.title(state)}. ${words.matrix_help}`);
    },
    /**
     * Where cell (row, column) lies on the screen, null before anything does.
     * @param {number} row
     * @param {number} column
     */
    box: (row, column) =>
      shape && {
        x: shape.left + column * shape.cell,
        y: shape.top + row * shape.tall,
        width: shape.cell,
        height: shape.tall,
      },
    drawn: () => drawn,
    /**
     * Makes the picture of a head that may be asked for next.
     * @param {HeadState} state
     */
    ahead(state) {
      const shown = app.shown(state);
      if (shape) picture(state, shown, app.shade(state, shown.values), window.devicePixelRatio || 1);
    },
  };
}
