// @ts-check
// The small pictures of all heads, on one canvas: drawn once a kind, an order and a trace, in slices,
// so that no frame waits.
import { bitmap, density, drawing, hatched, pixels, prepare } from "./paint.js";
import { Memo } from "../data/memo.js";
import { isDecoder } from "../data/seen.js";

/** @import { App, HeadState, Layout, Site } from "../types" */
/**
 * All small pictures of a trace in one, as far as they are drawn.
 * @typedef {{
 *   key: string, place: string, state: HeadState, masks: Map<string, OffscreenCanvas | null>,
 *   canvas: OffscreenCanvas, context: OffscreenCanvasRenderingContext2D, drawn: number, total: number,
 * }} Picture
 */

const [SLICE_MS, SLICE_CELLS] = [6, 20_000]; // a slice ends when both are used up

/** Nothing yet: what reads it comes after the first render. */
export const later = () => /** @type {any} */ (null);

/**
 * @param {App} app
 * @param {HTMLCanvasElement} canvas
 * @param {number} kept how many pictures
 */
export function createGridPicture(app, canvas, kept) {
  const pictures = new Memo(kept);
  /** @type {Picture} */
  let picture = later();
  /** @type {Layout} */
  let shape = later();
  let frame = 0;
  let composed = ""; // what stands on the canvas

  /**
   * The cells that a head's mask forbids, hatched, at the size of one small picture.
   * @param {Site} site
   * @param {[number, number]} head
   * @param {Float32Array} weights as they are packed
   */
  function maskOf({ kind, rows, columns }, head, weights) {
    const put = app.seen.isPut(kind, ...head) ? `/${head}` : "";
    const name = app.seen.maskOf(kind, ...head) + put;
    if (!picture.masks.has(name)) {
      const open = app.seen.drawn(kind, head, weights, "packed");
      const mask = hatched(open, rows, columns, shape.cellWidth, shape.cellHeight, app.theme, "small");
      picture.masks.set(name, mask);
    }
    return picture.masks.get(name);
  }

  /**
   * A picture to draw into; until a head is drawn, what the last one showed stays in its place.
   * @param {string} key
   * @param {string} place
   * @param {HeadState} state
   * @param {Picture | null} last
   * @returns {Picture}
   */
  function blank(key, place, state, last) {
    const ratio = density();
    const fresh = new OffscreenCanvas(Math.round(shape.width * ratio), Math.round(shape.height * ratio));
    const context = drawing(fresh.getContext("2d"));
    if (last) context.drawImage(last.canvas, 0, 0);
    const masks = last ? last.masks : new Map(); // by their names: most often all heads have one
    return { key, place, state, masks, canvas: fresh, context, drawn: 0, total: shape.cells.length };
  }

  /** Draws heads into the picture until the slice is used up; asks for another frame then. */
  function paintSlice() {
    const began = performance.now();
    const site = app.seen.site(picture.state.kind);
    const ratio = density();
    if (picture.drawn === picture.total) return;
    const { context } = picture;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    const [w, t] = [pixels(site.columns, shape.cellWidth), pixels(site.rows, shape.cellHeight)];
    const enough = (/** @type {number} */ drawn) =>
      drawn * site.rows * site.columns > SLICE_CELLS && performance.now() - began >= SLICE_MS;
    for (let drawn = 0; picture.drawn < picture.total && !enough(drawn); drawn += 1) {
      const { layer, head, x, y } = shape.cells[picture.drawn];
      const { values, rows, columns } = app.small(picture.state, layer, head);
      const shade = app.shade(picture.state, values);
      const points = bitmap(values, rows, columns, Math.min(t, rows), Math.min(w, columns), shade);
      context.drawImage(points, x, y, shape.cellWidth, shape.cellHeight);
      const mask = maskOf(site, [layer, head], values);
      if (mask) context.drawImage(mask, x, y, shape.cellWidth, shape.cellHeight);
      picture.drawn += 1;
    }
    if (picture.drawn < picture.total && !frame) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        paintSlice();
        compose(app.store.get());
      });
    }
  }

  /**
   * The picture with a frame and the row of the step on every head, unless that is what stands there.
   * @param {HeadState} state
   */
  function compose(state) {
    const site = app.seen.site(state.kind);
    const marked = state.step !== null && isDecoder(site.kind) && site.rows > 1;
    const at = ((app.seen.rowsAt(site.kind, state.step) - 0.5) / site.rows) * shape.cellHeight;
    const now = `${picture.key}|${picture.drawn}|${marked ? at : ""}`;
    if (now === composed) return;
    composed = now;
    const context = prepare(canvas, shape.width, shape.height);
    context.drawImage(picture.canvas, 0, 0, shape.width, shape.height);
    context.lineWidth = 1;
    context.strokeStyle = app.theme.line;
    context.fillStyle = app.theme.accent;
    context.beginPath();
    for (const { x, y } of shape.cells) context.rect(x - 0.5, y - 0.5, shape.cellWidth + 1, shape.cellHeight + 1);
    context.stroke();
    for (const { x, y } of marked ? shape.cells : []) context.fillRect(x - 2, y + at - 1.5, 3, 3);
  }

  return {
    /**
     * @param {HeadState} state
     * @param {string} place what the layout was made for
     * @param {Layout} laid
     */
    render(state, place, laid) {
      shape = laid;
      const key = `${place}|${app.traceKey(state)}|${state.stretch}`;
      if (picture?.key !== key) {
        const last = picture?.place === place ? picture : null;
        picture = pictures.get(key, () => blank(key, place, state, last));
        cancelAnimationFrame(frame);
        frame = 0;
        paintSlice();
      }
      compose(state);
    },
    drawn: () => ({ heads: picture?.drawn ?? 0, of: picture?.total ?? 0 }),
    stop: () => cancelAnimationFrame(frame),
  };
}
