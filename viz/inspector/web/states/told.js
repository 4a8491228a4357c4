// @ts-check
// What a model that writes nothing says after each token: a row a label, beneath its units.
import { bitmap } from "../views/paint.js";
import { shorten, visible } from "../data/text.js";

/** @import { Drawing } from "../types" */
/** @import { KeyAxis } from "../views/keyaxis.js" */
/** @import { Heated } from "./types" */

const [TALL, GAP, LETTERS, LONGEST] = [16, 10, 12, 14];

/**
 * Null where there is nothing such, or only the likeliest of many.
 * @param {Heated} app
 */
export function createTold(app) {
  const { next, next_stack: stack } = app.model.meta;
  if (!next?.length || stack !== "encoder" || next.some(({ others }) => others > 0)) return null;
  const ids = next[0].ids.toSorted((one, other) => one - other);
  const labels = ids.map((id) => shorten(visible(next[0].texts[next[0].ids.indexOf(id)]), LONGEST));
  const values = Float32Array.from(ids.flatMap((id) => next.map(({ ids: ranked, p }) => p[ranked.indexOf(id)])));

  return {
    /** Pixels beneath the units. */
    height: GAP + TALL * labels.length,
    /**
     * Pixels that the names take before their rows.
     * @param {Drawing} context
     */
    margin(context) {
      context.font = `600 ${LETTERS}px ${app.theme.font}`;
      return Math.ceil(Math.max(...labels.map((label) => context.measureText(label).width))) + 12;
    },
    /**
     * @param {Drawing} context
     * @param {KeyAxis} axis
     * @param {number} end where the units end
     */
    draw(context, axis, end) {
      const { theme } = app;
      const [top, deep] = [end + GAP, TALL * labels.length];
      const { position } = app.store.get();
      const [rows, columns] = [labels.length, next.length];
      const shown = bitmap(values, rows, columns, rows, columns, { table: theme.scales.cross, low: 0, high: 1 });
      context.imageSmoothingEnabled = false;
      context.drawImage(shown, axis.start, top, axis.size, deep);
      context.strokeStyle = theme.line;
      context.lineWidth = 1;
      context.strokeRect(axis.start - 0.5, top - 0.5, axis.size + 1, deep + 1);
      context.strokeStyle = theme.accent;
      context.lineWidth = 2;
      if (position >= 0) context.strokeRect(axis.start + position * axis.cell, top - 1, axis.cell, deep + 2);
      const here = labels.map((_, row) => values[row * next.length + position]);
      const best = position < 0 ? -1 : here.indexOf(Math.max(...here));
      context.textAlign = "right";
      context.textBaseline = "middle";
      labels.forEach((label, row) => {
        context.font = `${row === best ? "600 " : ""}${LETTERS}px ${theme.font}`;
        context.fillStyle = row === best ? theme.text : theme.muted;
        context.fillText(label, axis.start - 7, top + (row + 0.5) * TALL);
      });
    },
  };
}
