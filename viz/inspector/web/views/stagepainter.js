// @ts-check
// The matrix of one stage on its canvas: the rows written so far, and room for those to come.
import { drawColumnLabel, drawLabel, flat, labelsOf, pitchOf, sized, slantRoom, stride } from "./labels.js";
import { besideRow, bitmap, density, hatched, hatchRows, markRow, pixels, reach, snap } from "./paint.js";
import { Memo } from "../data/memo.js";
import { headOf } from "../data/seen.js";
import { near } from "../data/text.js";

/** @import { Chosen, Head, Inspecting, Kind, Label, Site } from "../types" */
/** @typedef {CanvasRenderingContext2D} Context */
/**
 * Where a stage lies on its canvas, in pixels; a cell is `cell` wide and `tall` high.
 * @typedef {{
 *   site: Site, font: string, rows: Label[], columns: Label[], left: number, top: number, cell: number,
 *   flat: boolean, pitch: number, tall: number, width: number, height: number,
 * }} Laid
 */

const [WIDEST, TALLEST, ROOM, SUMS, LETTERS] = [40, 24, 12, 70, 12];

/** @param {Inspecting} app */
export function createStagePainter(app) {
  const { model } = app;
  const [bitmaps, masks, axes] = [new Memo(12), new Memo(8), new Memo(6)];

  /**
   * @param {Kind} kind
   * @param {number} width
   * @param {number} height
   * @param {Context} context
   * @returns {Laid}
   */
  function layout(kind, width, height, context) {
    const site = model.site(kind);
    const font = `${LETTERS}px ${app.theme.font}`;
    const limit = Math.floor(width * 0.27);
    const { rows, columns } = axes.get(`${kind}|${font}|${limit}`, () => ({
      rows: labelsOf(model.queries(kind), context, font, limit),
      columns: labelsOf(model.keys(kind), context, font, 80),
    }));
    const widest = (/** @type {Label[]} */ items) => items.reduce((most, label) => Math.max(most, label.width), 10);
    const top = Math.min(slantRoom(widest(columns))[0] + 12, height * 0.3);
    const tall = snap(Math.min(TALLEST, (height - top - 3) / site.rows));
    const left = Math.min(widest(rows) * 1.1, width * 0.3) + besideRow(tall) + 1;
    const slanted = Math.max(SUMS, Math.min(slantRoom(widest(columns))[1], 40));
    const cell = snap(Math.min(WIDEST, (width - left - slanted - 2) / site.columns));
    return {
      site,
      font,
      rows,
      columns,
      left,
      top,
      cell,
      flat: flat(widest(columns), cell),
      pitch: pitchOf(columns, LETTERS),
      tall,
      width: cell * site.columns,
      height: tall * site.rows,
    };
  }

  const points = (/** @type {Laid} */ { site, width, height }) => [
    pixels(site.columns, width),
    pixels(site.rows, height),
  ];

  /**
   * Cells as a bitmap, kept for the heads seen last.
   * @param {string} name
   * @param {Chosen} state
   * @param {string} status
   * @param {Float32Array} values
   * @param {number} most
   * @param {Laid} shape
   */
  function picture(name, state, status, values, most, shape) {
    const { site } = shape;
    const [w, t] = points(shape);
    const weights = name === "weights";
    const table = weights ? app.theme.scales[state.kind] : app.theme.diverging;
    return bitmaps.get(
      `${weights}|${state.kind}/${state.layer}/${state.head}|${status}|${most}|${w}x${t}|${app.theme.key}`,
      () => bitmap(values, site.rows, site.columns, t, w, { table, low: weights ? 0 : -most, high: most }),
    );
  }

  /**
   * The cells that the head's mask forbids, hatched; null where it forbids none.
   * @param {string} name of the open ones
   * @param {Uint8Array} open
   * @param {Laid} shape
   */
  function forbidden(name, open, { site, width, height }) {
    return masks.get(`${name}|${width}x${height}@${density()}|${app.theme.key}`, () =>
      hatched(open, site.rows, site.columns, width, height, app.theme, "forbidden"),
    );
  }

  /**
   * @param {Context} context
   * @param {string} name
   * @param {Chosen} state
   * @param {Head} head
   * @param {Float32Array} values
   * @param {number} most
   * @param {Laid} shape
   * @param {number} live
   */
  function cells(context, name, state, head, values, most, shape, live) {
    const { site, left, top } = shape;
    const [w, t] = points(shape);
    const [chosen, put] = [headOf(state), name === "weights" && model.isPut(state.kind, ...headOf(state))];
    const open = put
      ? model.drawn(state.kind, chosen, head.weights, head.status)
      : model.allowed(state.kind, ...chosen);
    const named = put
      ? [state.kind, ...chosen, head.status].join("/")
      : model.maskOf(state.kind, state.layer, state.head);
    const mask = name === "scores" ? null : forbidden(named, open, shape);
    const share = live / site.rows;
    context.imageSmoothingEnabled = false;
    if (name !== "mask") {
      const bits = picture(name, state, head.status, values, most, shape);
      context.drawImage(bits, 0, 0, w, t * share, left, top, shape.width, shape.height * share);
    }
    if (!mask) return;
    if (name !== "mask") blank(context, open, shape, live);
    context.drawImage(mask, 0, 0, mask.width, mask.height * share, left, top, shape.width, shape.height * share);
  }

  /** @type {(context: Context, open: Uint8Array, shape: Laid, live: number) => void} */
  function blank(context, open, shape, live) {
    const { site, left, top, cell, tall } = shape;
    context.fillStyle = app.theme.background;
    for (let row = 0; row < live; row += 1) {
      let from = -1;
      for (let column = 0; column <= site.columns; column += 1) {
        const shut = column < site.columns && !open[row * site.columns + column];
        if (shut && from < 0) from = column;
        if (!shut && from >= 0) {
          context.fillRect(left + from * cell, top + row * tall, (column - from) * cell, tall);
          from = -1;
        }
      }
    }
  }

  /** @type {(context: Context, shape: Laid, live: number) => void} */
  function frame(context, shape, live) {
    const { left, top, cell, tall, site } = shape;
    const { theme } = app;
    context.fillStyle = theme.background;
    if (cell >= 9)
      for (let c = 1; c < site.columns; c += 1) context.fillRect(left + c * cell - 0.5, top, 1, live * tall);
    if (tall >= 9) for (let r = 1; r < live; r += 1) context.fillRect(left, top + r * tall - 0.5, shape.width, 1);
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(left - 0.5, top - 0.5, shape.width + 1, shape.height + 1);
    markRow(context, left, top + (live - 1) * tall, shape.width, tall, theme.accent);
    const [row, every] = [live - 1, stride(tall, ROOM)];
    context.font = shape.font; // once: setting a font is dear
    context.save();
    context.beginPath();
    context.rect(0, 0, left - 3, top + shape.height + 10);
    context.clip();
    shape.rows.forEach((label, at) => {
      if (at !== row && (at % every || Math.abs(row - at) * tall < ROOM)) return;
      if (at === row) context.font = `600 ${shape.font}`;
      drawLabel(
        context,
        at === row ? sized(label, context) : label,
        left - besideRow(tall),
        top + (at + 0.5) * tall,
        "right",
        at === row ? theme.text : at < live ? theme.muted : theme.quiet,
        theme,
        tall,
      );
      if (at === row) context.font = shape.font;
    });
    context.restore();
    shape.columns.forEach((label, at) => {
      if (!shape.flat && cell < shape.pitch && at % stride(cell, 17)) return;
      drawColumnLabel(context, label, left + (at + 0.5) * cell, top, cell, shape.flat, theme.muted, theme);
    });
  }

  /**
   * What each row adds up to, beside it where there is room; returns [row, text].
   * @param {Context} context
   * @param {Head} head
   * @param {Laid} shape
   * @param {number} live
   */
  function sums(context, { weights, status }, shape, live) {
    const { site, left, top, tall } = shape;
    context.font = `11px ${app.theme.font}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    /** @type {[number, string][]} */
    const out = [];
    for (let row = 0; row < live; row += 1) {
      if (row !== live - 1 && (row % stride(tall, ROOM) || (live - 1 - row) * tall < ROOM)) continue;
      let sum = 0;
      for (let c = 0; c < site.columns; c += 1) sum += weights[row * site.columns + c];
      context.fillStyle = row === live - 1 ? app.theme.text : app.theme.muted;
      const shown = `Σ ${near(status, sum.toFixed(3))}`;
      context.fillText(shown, left + shape.width + 10, top + (row + 0.5) * tall);
      out.push([row, shown]);
    }
    return out;
  }

  return {
    layout,
    picture,
    /**
     * All of one stage; returns what its rows add up to, [row, text], where that is written.
     * @param {Context} context
     * @param {string} name
     * @param {Chosen} state
     * @param {Head} head
     * @param {number[]} range of what is coloured
     * @param {Laid} shape
     * @param {number} live rows that are written
     */
    paint(context, name, state, head, range, shape, live) {
      const values = /** @type {Float32Array} */ (name === "weights" ? head.weights : head.scores);
      cells(context, name, state, head, values, reach(range), shape, live);
      const { site, left, top, tall, width } = shape;
      hatchRows(context, app.theme, [left, top + live * tall, width, (site.rows - live) * tall]);
      frame(context, shape, live);
      return name === "weights" ? sums(context, head, shape, live) : null;
    },
  };
}
