// @ts-check
// The tokens beside the rows and above the columns of the large matrix, as many as are legible.
import { sizeOf } from "../data/part.js";
import { drawColumnLabel, drawLabel, legible, sized } from "./labels.js";
import { Memo } from "../data/memo.js";
import { besideRow } from "./paint.js";

/** @import { App, Drawing, HeadState } from "../types" */
/** @import { Form } from "./matrix.js" */
/** @typedef {[number, string][]} Named */

const ROOM = 13;
const LIT = 0.3; // of the accent behind a token that was searched for

/** @type {(places: (number | null | undefined)[]) => number[]} without those that name none */
const there = (places) => places.map((at) => at ?? -1).filter((at) => at >= 0);

/** @param {App} app */
export function createMatrixNames(app) {
  const [opens, told] = [new Memo(4), new Memo(8)];

  /**
   * Which rows and columns may be looked at anywhere.
   * @param {Form} shape
   * @returns {{ rows: Uint8Array, columns: Uint8Array }}
   */
  function open({ kind, inWords, site, head }) {
    return opens.get(`${app.seen.maskOf(kind, ...head)}|${inWords}`, () => {
      const allowed = app.seen.allowed(kind, ...head);
      const lines = { rows: new Uint8Array(site.rows), columns: new Uint8Array(site.columns) };
      for (let row = 0, at = 0; row < site.rows; row += 1)
        for (let column = 0; column < site.columns; column += 1, at += 1)
          if (allowed[at]) lines.rows[row] = lines.columns[column] = 1;
      return lines;
    });
  }

  /**
   * Places of the labels that are drawn, counted from the first in view: first those of rows and columns that
   * may be looked at.
   * @param {Form} shape
   * @param {"rows" | "columns"} axis
   * @param {number} room
   * @returns {Set<number>}
   */
  function labelled(shape, axis, room) {
    const { kind, inWords, part, cell, tall, head } = shape;
    const [size, first] = axis === "rows" ? [tall, part.top] : [cell, part.left];
    const count = sizeOf(part)[axis === "rows" ? 0 : 1];
    const key = `${axis}|${app.seen.maskOf(kind, ...head)}|${inWords}|${first}+${count}|${size}|${room}`;
    return told.get(key, () => {
      const lines = open(shape)[axis];
      return legible(count, size, room, (at) => lines[first + at] === 1);
    });
  }

  /**
   * Marks a token that was searched for.
   * @param {Drawing} context
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  function lit(context, x, y, width, height) {
    context.globalAlpha = LIT;
    context.fillStyle = app.theme.accent;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }

  return {
    /** @type {(context: Drawing, shape: Form, state: HeadState, live: number) => Named} */
    rows(context, shape, state, live) {
      const { rows, left, top, tall, part } = shape;
      const fit = labelled(shape, "rows", ROOM);
      const found = state.found?.[0];
      const focus = [app.focusRow(state), state.hover?.[0], app.pinned(state)?.[0], app.held?.(state)?.[0], found];
      const chosen = there(focus);
      /** @type {Named} */
      const out = [];
      const font = `${shape.rowSize}px ${app.theme.font}`;
      const edge = left - besideRow(tall);
      context.save();
      context.font = font; // once: setting a font is dear
      context.beginPath();
      context.rect(0, top - 8, left - 3, shape.height + 16);
      context.clip();
      for (let row = part.top; row < part.bottom; row += 1) {
        const own = chosen.includes(row);
        const near = tall < ROOM && chosen.some((other) => Math.abs(other - row) * tall < ROOM);
        if (!own && (near || !fit.has(row - part.top))) continue;
        if (own) context.font = `600 ${font}`;
        const label = own ? sized(rows[row], context) : rows[row];
        const [colour, middle] = [
          own ? app.theme.text : row < live ? app.theme.muted : app.theme.quiet,
          shape.y(row + 0.5),
        ];
        if (row === found) lit(context, edge - 3 - label.width, middle - 9, label.width + 7, 18);
        drawLabel(context, label, edge, middle, "right", colour, app.theme, tall);
        if (own) context.font = font;
        out.push([row, label.text]);
      }
      context.restore();
      return out;
    },
    /** @type {(context: Drawing, shape: Form, state: HeadState) => Named} */
    columns(context, shape, state) {
      const { columns, top, cell, upright, part } = shape;
      const room = shape.pitch;
      const fit = labelled(shape, "columns", room);
      const found = state.found?.[1];
      const chosen = there([state.hover?.[1], app.pinned(state)?.[1], app.held?.(state)?.[1], found]);
      /** @type {Named} */
      const out = [];
      const font = `${shape.columnSize}px ${app.theme.font}`;
      context.font = font;
      for (let column = part.left; column < part.right; column += 1) {
        const own = chosen.includes(column);
        const near = cell < room && chosen.some((other) => Math.abs(other - column) * cell < room);
        if (!own && (near || !fit.has(column - part.left))) continue;
        if (own) context.font = `600 ${font}`;
        const label = own ? sized(columns[column], context) : columns[column];
        const colour = own ? app.theme.text : label.special ? app.theme.quiet : app.theme.muted;
        const x = shape.x(column + 0.5);
        if (column === found) lit(context, x - Math.max(cell, 8) / 2, top - 8, Math.max(cell, 8), 6);
        drawColumnLabel(context, label, x, top - 2, upright, shape.flat, colour, app.theme);
        if (own) context.font = font;
        out.push([column, label.text]);
      }
      return out;
    },
  };
}
