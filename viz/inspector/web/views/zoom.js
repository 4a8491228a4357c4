// @ts-check
// Which part of a large head is in view, chosen by wheel, fingers, a dragged frame, buttons and keys; matrix
// and lines show the same one.
import {
  anchored,
  bounded,
  fitted,
  holds,
  isWhole,
  moved,
  piecesPart,
  placeAt,
  reaching,
  sizeOf,
} from "../data/part.js";
import { isDecoder } from "../data/seen.js";
import { format } from "../data/text.js";
import { attribute, h, signButton, text } from "./dom.js";
import { TALLEST, WIDEST } from "./layout.js";
import { same } from "../store.js";

/** @import { Chosen, Inspecting, Part } from "../types" */

export const MANY = 24; // tokens that are more than can be read at once
const READ = [20, 22]; // pixels [down, across] of a cell beside whose neighbours a token is read
const LEGIBLE = 13; // pixels of a cell that has its own label
const [CLOSER, FARTHER] = [0.5, 2]; // of what is in view, by a key or a button

/** @typedef {ReturnType<typeof createZoom>} Zoom */

/**
 * @param {Inspecting} app
 * @param {{ form: () => { room: number[] } | null }[]} views the first of them that is seen tells how much room
 *   there is
 */
export function createZoom(app, views) {
  const { model, words, store } = app;
  const many = model.kinds.some((kind) => Math.max(model.site(kind).rows, model.site(kind).columns) >= MANY);
  const coarse = matchMedia("(pointer: coarse)");
  /** @type {Part | null} */
  let wished = null; // what was last asked for, within a cell of what is shown

  const reset = signButton(words.zoom_all, words.zoom_whole, () => show(null), "hl-zoom-whole");
  const told = h("span", { class: "hl-zoom-told", role: "status", "data-testid": "hl-zoom-part" });
  const buttons = h(
    "div",
    { class: "hl-zoom-buttons", role: "group", "aria-label": words.zoom },
    signButton("−", words.zoom_out, () => by(FARTHER), "hl-zoom-out"),
    signButton("+", words.zoom_in, () => by(CLOSER), "hl-zoom-in"),
    reset,
  );

  const size = () => app.seen.site(store.get().kind);
  const part = () => app.part(store.get());

  /**
   * How many rows and columns of such cells there is room for.
   * @param {number[]} pixels
   */
  function fits(pixels) {
    const room = views.map(({ form }) => form()?.room).find(Boolean) ?? pixels;
    return room.map((all, axis) => Math.max(1, Math.floor(all / pixels[axis])));
  }
  /** Fewer leave room empty; a link may have asked for them. */
  function least() {
    const sizes = sizeOf(part());
    return fits([TALLEST, WIDEST]).map((count, axis) => Math.min(count, sizes[axis]));
  }

  /** Where a gesture goes on from: what was asked for, if that is what is shown. */
  const base = () => (wished && same(fitted(wished, size(), least()), part()) ? wished : part());

  /**
   * Shows the part nearest to a wished one, or all.
   * @param {Part | null} wish
   */
  function show(wish) {
    wished = wish && bounded(wish, size(), least());
    const shown = wished && fitted(wished, size(), least());
    const { kind, hover, pointed } = store.get();
    store.set({
      zoom: shown && !isWhole(shown, size()) ? piecesPart(app.seen, kind, shown) : null,
      hover: pointed ? null : hover, // what was pointed at is elsewhere now
    });
  }

  /**
   * @param {number} factor of the rows and columns in view
   * @param {number[]} shares where what is there stays
   */
  function by(factor, shares = focus()) {
    const { rows, columns } = size();
    const from = base();
    const [tall, wide] = least();
    const limited = (/** @type {number} */ count, /** @type {number} */ few, /** @type {number} */ all) =>
      Math.min(all, Math.max(Math.min(few, count), count * factor));
    const [height, width] = sizeOf(from);
    show(anchored(placeAt(from, shares), [limited(height, tall, rows), limited(width, wide, columns)], shares));
  }

  /** What keys and buttons keep in place: the cell that is pointed at, the row that is spoken of, or the middle. */
  function focus() {
    const state = store.get();
    const now = part();
    const at = state.hover ?? state.found ?? [app.focusRow(state) ?? -1, -1];
    const from = [now.top, now.left];
    return sizeOf(now).map((count, axis) =>
      at[axis] >= 0 && holds(now, at) ? (at[axis] + 0.5 - from[axis]) / count : 0.5,
    );
  }

  /**
   * Has a cell [row, column] in view where it can be read; -1 leaves an axis as it is.
   * @param {number[]} cell
   */
  function reach(cell) {
    const now = part();
    const sizes = sizeOf(now);
    const [room, wanted] = [fits([LEGIBLE, LEGIBLE]), fits(READ)];
    const legible = cell.every((at, axis) => at < 0 || sizes[axis] <= room[axis]);
    if (legible && holds(now, cell)) return;
    const from = [now.top, now.left];
    const place = cell.map((at, axis) => (at < 0 ? from[axis] + sizes[axis] / 2 : at + 0.5));
    const counts = sizes.map((count, axis) => (cell[axis] < 0 || count <= room[axis] ? count : wanted[axis]));
    show(anchored(place, counts, [0.5, 0.5]));
  }

  // What keys reach, and the step's row, come into view.
  store.subscribe((state, before) => {
    if (!state.zoom || !same(state.zoom, before.zoom)) return;
    const rows = app.seen.rowsAt(state.kind, state.step);
    if (state.step !== before.step && isDecoder(state.kind)) show(reaching(part(), [rows - 1, -1]));
    else if (state.hover && !state.pointed && !same(state.hover, before.hover)) show(reaching(part(), state.hover));
  });

  return {
    buttons,
    told,
    show,
    by,
    base,
    reach,
    part,
    size,
    /** How many rows and columns can be read at once. */
    legible: () => fits(READ),
    closer: () => by(CLOSER),
    farther: () => by(FARTHER),
    /**
     * A part farther on, by shares of its height and width.
     * @param {number} down
     * @param {number} across
     */
    turn(down, across) {
      const [tall, wide] = sizeOf(part());
      show(moved(part(), Math.round(down * tall), Math.round(across * wide)));
    },
    /** Is there anything to be gained by it? */
    on: () => many || store.get().zoom !== null,
    /** @param {Chosen} state */
    render(state) {
      buttons.hidden = told.hidden = !many && state.zoom === null;
      reset.disabled = state.zoom === null;
      const { rows, columns } = app.seen.site(state.kind);
      const { top, bottom, left, right } = app.part(state);
      const numbers = { top: top + 1, bottom, rows, left: left + 1, right, columns };
      const hint = coarse.matches ? words.zoom_hint_touch : words.zoom_hint;
      text(told, state.zoom === null ? hint : format(words.zoom_part, numbers));
      attribute(app.root, "data-zoomed", state.zoom !== null);
    },
  };
}
