// @ts-check
// A state or gate over time: a row for each unit, a column for each token read.
import { h, walkable } from "../views/dom.js";
import { chosenAlong } from "../views/drag.js";
import { KeyAxis } from "../views/keyaxis.js";
import { stride } from "../views/labels.js";
import { bitmap, pixels, prepare, snap } from "../views/paint.js";
import { createTold } from "./told.js";

/** @import { Heated } from "./types" */

const [MARGIN, LETTERS, LABEL, TALL, LEAST, MOST] = [40, 11, 14, 13, 2, 640];

/**
 * @param {Heated} app
 * @param {string} testid
 * @param {string} of whose picture it is, where there are several
 */
export function createHeat(app, testid = "hl-states-heat", of = "") {
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-states-canvas" });
  const measuring = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const label = [of, app.words.states_heat].filter(Boolean).join(": ");
  const about = { class: "hl-states-surface", "data-testid": testid, "aria-label": label };
  const surface = walkable(canvas, app.live, about);
  const axis = new KeyAxis(app);
  const told = createTold(app);
  let tall = 0;
  /** @type {number[]} */
  let order = [];

  /** The room that a count of rows takes. */
  const height = (/** @type {number} */ rows) =>
    Math.min(MOST, Math.max(LEAST * rows, Math.min(rows * TALL, 32 * TALL)));

  function render() {
    const state = app.store.get();
    const [width] = app.sizes.of(surface);
    const values = app.values();
    if (width === 0 || !values) return;
    order = app.order();
    const from = Math.max(MARGIN, told?.margin(measuring) ?? 0);
    axis.lay(state.stack, measuring, { from, room: width - from - 34, down: false });
    tall = snap(height(order.length) / order.length);
    const top = axis.beside;
    const deep = Math.ceil(tall * order.length);
    const whole = top + deep + (told?.height ?? 0) + 4;
    surface.style.height = `${whole}px`;
    const context = prepare(canvas, width, whole);
    const { units } = app.model.of(state.stack);
    const cells = new Float32Array(order.length * axis.length);
    order.forEach((unit, row) => {
      for (let at = 0; at < axis.length; at += 1) cells[row * axis.length + at] = values[at * units + unit];
    });
    const [rows, columns] = [pixels(order.length, deep), axis.points];
    const reach = app.reach();
    const shade = { table: app.theme.diverging, low: -reach, high: reach };
    context.imageSmoothingEnabled = false;
    const shown = bitmap(cells, order.length, axis.length, rows, columns, shade);
    context.drawImage(shown, from, top, axis.size, deep);
    axis.names(context, top, () => true, state.hover ? state.hover[1] : state.position);
    names(context, top);
    outline(context, top, deep);
    told?.draw(context, axis, top + deep);
  }

  /** @param {CanvasRenderingContext2D} context */
  function names(context, /** @type {number} */ top) {
    const every = stride(tall, LABEL);
    context.textAlign = "right";
    context.textBaseline = "middle";
    const chosen = order.indexOf(app.unit());
    order.forEach((unit, row) => {
      const bold = row === chosen;
      const near = chosen >= 0 && Math.abs(chosen - row) * tall < LABEL;
      if (!bold && (near || row % every !== 0)) return;
      context.font = `${bold ? "600 " : ""}${LETTERS}px ${app.theme.font}`;
      context.fillStyle = bold ? app.theme.text : app.theme.muted;
      context.fillText(String(unit + 1), axis.start - 7, top + (row + 0.5) * tall);
    });
  }

  /** @param {CanvasRenderingContext2D} context */
  function outline(context, /** @type {number} */ top, /** @type {number} */ deep) {
    const { position } = app.store.get();
    const row = order.indexOf(app.unit());
    context.strokeStyle = app.theme.line;
    context.lineWidth = 1;
    context.strokeRect(axis.start - 0.5, top - 0.5, axis.size + 1, deep + 1);
    context.strokeStyle = app.theme.accent;
    context.lineWidth = 2;
    if (position >= 0) context.strokeRect(axis.start + position * axis.cell, top - 1, axis.cell, deep + 2);
    if (row < 0) return;
    context.strokeStyle = app.theme.text;
    context.lineWidth = tall >= 6 ? 1.5 : 1;
    context.strokeRect(axis.start - 1, top + row * tall - 0.5, axis.size + 2, tall + 1);
  }

  /**
   * Unit and position at a place, or null.
   * @param {MouseEvent} event
   * @returns {[number, number] | null}
   */
  function under(event) {
    const box = surface.getBoundingClientRect();
    const at = axis.at(event.clientX - box.left);
    const unit = order[Math.floor((event.clientY - box.top - axis.beside) / tall)];
    return at === null || unit === undefined ? null : [unit, at];
  }

  chosenAlong(surface, (event) => {
    const at = under(event);
    const position = axis.at(event.clientX - surface.getBoundingClientRect().left);
    if (at) app.store.set({ unit: at[0], position: at[1] });
    else if (told && position !== null) app.store.set({ position });
  });
  surface.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") app.store.set({ hover: under(event), pointed: true });
  });
  surface.onpointerleave = () => app.store.set({ hover: null, pointed: false });

  return {
    element: surface,
    tells: told !== null,
    render,
    /**
     * Where a cell lies, in pixels of the surface.
     * @param {[number, number]} at
     */
    box([unit, position]) {
      const row = Math.max(0, order.indexOf(unit));
      return { x: axis.start + position * axis.cell, y: axis.beside + row * tall, width: axis.cell, height: tall };
    },
  };
}
