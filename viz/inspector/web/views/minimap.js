// @ts-check
// Where one is: the whole head, small, in the corner that names leave free, and the part in view as a frame
// that is dragged.
import { isWhole, sizeOf } from "../data/part.js";
import { isDecoder } from "../data/seen.js";
import { h } from "./dom.js";
import { bitmap, density, pixels, prepare } from "./paint.js";
import { Memo } from "../data/memo.js";

/** @import { Chosen, Inspecting } from "../types" */
/** @import { Zoom } from "./zoom.js" */

const [SIDE, AWAY] = [64, 10]; // pixels of it, as in style.css, and to the cells

/**
 * @param {Inspecting} app
 * @param {ReturnType<typeof import("./matrix.js").createMatrix>} matrix
 * @param {Zoom} zoom
 */
export function createMinimap(app, matrix, zoom) {
  const canvas = h("canvas", { class: "hl-minimap", "aria-hidden": "true", "data-testid": "hl-minimap" });
  const kept = new Memo(8);

  /** @param {PointerEvent} event */
  function centre(event) {
    const box = canvas.getBoundingClientRect();
    const { rows, columns } = zoom.size();
    const now = zoom.part();
    const [tall, wide] = isWhole(now, zoom.size()) ? zoom.legible() : sizeOf(now);
    const row = ((event.clientY - box.top) / box.height) * rows;
    const column = ((event.clientX - box.left) / box.width) * columns;
    zoom.show({ top: row - tall / 2, bottom: row + tall / 2, left: column - wide / 2, right: column + wide / 2 });
  }
  canvas.onpointerdown = (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    centre(event);
  };
  canvas.onpointermove = (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) centre(event);
  };

  return {
    element: canvas,
    /** @param {Chosen} state */
    render(state) {
      canvas.hidden = !zoom.on();
      const form = matrix.form();
      if (canvas.hidden || !form) return;
      canvas.style.translate = `${Math.round(form.left - SIDE - AWAY)}px ${Math.round(form.top - SIDE - AWAY)}px`;
      const context = prepare(canvas, SIDE, SIDE);
      const { kind, layer, head } = state;
      const shade = app.shade(state, app.shown(state).values);
      const key = [app.traceKey(state), kind, layer, head, shade.low, shade.high, density(), app.theme.key].join("|");
      const picture = kept.get(key, () => {
        const { values, rows, columns } = app.small(state, layer, head);
        return bitmap(values, rows, columns, pixels(rows, SIDE), pixels(columns, SIDE), shade);
      });
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, 0, 0, SIDE, SIDE);
      const all = app.seen.site(kind);
      const live = isDecoder(kind) ? app.seen.rowsAt(kind, state.step) : all.rows;
      context.fillStyle = app.theme.background;
      context.globalAlpha = 0.6;
      context.fillRect(0, (live / all.rows) * SIDE, SIDE, SIDE);
      context.globalAlpha = 1;
      context.strokeStyle = app.theme.line;
      context.lineWidth = 1;
      context.strokeRect(0.5, 0.5, SIDE - 1, SIDE - 1);
      const part = app.part(state);
      if (isWhole(part, all)) return;
      const [x, y] = [(part.left / all.columns) * SIDE, (part.top / all.rows) * SIDE];
      const [height, width] = sizeOf(part);
      const box = [(width / all.columns) * SIDE, (height / all.rows) * SIDE].map((size) => Math.max(size, 4));
      context.strokeStyle = app.theme.text;
      context.lineWidth = 1.5;
      context.strokeRect(Math.min(x, SIDE - box[0]), Math.min(y, SIDE - box[1]), box[0], box[1]);
    },
    side: SIDE + AWAY,
  };
}
