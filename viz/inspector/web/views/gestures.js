// @ts-check
// Wheel, fingers and a dragged frame over a view of which a part is seen (zoom.js).
//
// A plain wheel scrolls the page, unless a part is in view that has more in that direction and the wheel
// began over it. With Ctrl or ⌘, which is how a pinch on a trackpad arrives, it zooms. Two fingers pinch and
// move; one finger is the page's. A mouse that drags frames what is to be seen; with Shift it moves the part.
import { anchored, bounded, moved, placeAt, sizeOf } from "../data/part.js";
import { h, place } from "./dom.js";

/** @import { Part } from "../types" */
/** @import { Zoom } from "./zoom.js" */
/** @typedef {{ clientX: number, clientY: number }} Point */
/**
 * What is zoomed over. `shares`: where a point lies in what is seen, as shares of its rows and its columns.
 * `axes`: which of both it stands for. `area`: the pixels of the surface that show them there.
 * @typedef {{
 *   surface: HTMLElement, form: () => object | null, shares: (at: Point) => number[],
 *   axes: (at: Point) => boolean[],
 *   area: (at: Point) => { left: number, top: number, width: number, height: number },
 * }} Over
 */

const SLOP = 6; // pixels that a mouse strays while it clicks
const [RATE, NOTCH] = [0.012, 50]; // of the wheel: a notch of a mouse counts as so many pixels at most
const LINE = 16; // pixels of a wheel that counts lines
const GOING_MS = 300; // a wheel that rests for so long begins anew

/**
 * Of what is wished, the axes that are asked for; the others stay.
 * @param {Part} wished
 * @param {Part} now
 * @param {boolean[]} axes
 * @returns {Part}
 */
const along = (wished, now, [rows, columns]) => ({
  ...(rows ? { top: wished.top, bottom: wished.bottom } : { top: now.top, bottom: now.bottom }),
  ...(columns ? { left: wished.left, right: wished.right } : { left: now.left, right: now.right }),
});

/**
 * Are two parts the same but for what is rounded off?
 * @param {Part} one
 * @param {Part} other
 */
const alike = (one, other) => Math.abs(one.top - other.top) < 1e-6 && Math.abs(one.left - other.left) < 1e-6;

/** @type {(zoom: Zoom, over: Over, ended: AbortSignal) => void} */
export function listen(zoom, over, ended) {
  const { surface } = over;
  wheel(zoom, over, ended);
  fingers(zoom, over);
  const frame = h("div", { class: "hl-zoom-frame", hidden: true });
  surface.append(frame);
  drag(zoom, over, frame);
}

/** @type {(zoom: Zoom, over: Over, ended: AbortSignal) => void} */
function wheel(zoom, over, ended) {
  let last = -Infinity; // when the page was scrolled by a wheel
  const { surface } = over;

  const turned = (/** @type {WheelEvent} */ event) => {
    if (!zoom.on() || !over.form()) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const by = Math.min(Math.max(event.deltaY * unit, -NOTCH), NOTCH);
      zoom.by(Math.exp(by * RATE), inside(over.shares(event)));
      return;
    }
    const { width, height } = over.area(event);
    const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    const now = zoom.base();
    const [tall, wide] = sizeOf(now);
    const [rows, columns] = over.axes(event);
    const across = rows && columns ? (dx * unit * wide) / width : (dy * unit * wide) / height;
    const wished = along(moved(now, (dy * unit * tall) / height, across), now, [rows, columns]);
    const going = event.timeStamp - last < GOING_MS;
    if (going || alike(bounded(wished, zoom.size()), bounded(now, zoom.size()))) {
      last = event.timeStamp; // the page's, and on while it goes on
      return;
    }
    event.preventDefault();
    zoom.show(wished);
  };
  surface.addEventListener("wheel", turned, { passive: false });
  surface.ownerDocument.addEventListener(
    "wheel",
    (event) => {
      if (!event.composedPath().includes(surface)) last = event.timeStamp;
    },
    { passive: true, capture: true, signal: ended }, // the document outlives the view
  );
}

const inside = (/** @type {number[]} */ shares) => shares.map((share) => Math.min(Math.max(share, 0), 1));

/** @type {(zoom: Zoom, over: Over) => void} */
function fingers(zoom, over) {
  /** @type {{ place: number[], size: number[], apart: number } | null} */
  let pinch = null;
  const { surface } = over;
  const both = (/** @type {TouchEvent} */ { touches }) => {
    const [a, b] = touches;
    return {
      clientX: (a.clientX + b.clientX) / 2,
      clientY: (a.clientY + b.clientY) / 2,
      apart: Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)),
    };
  };

  const came = (/** @type {TouchEvent} */ event) => {
    if (event.touches.length !== 2 || !zoom.on() || !over.form()) return;
    event.preventDefault();
    const middle = both(event);
    const now = zoom.base();
    pinch = { place: placeAt(now, inside(over.shares(middle))), size: sizeOf(now), apart: middle.apart };
  };
  const went = (/** @type {TouchEvent} */ event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const middle = both(event);
    const factor = pinch.apart / middle.apart;
    const size = pinch.size.map((count) => count * factor);
    zoom.show(anchored(pinch.place, size, inside(over.shares(middle))));
  };
  const left = (/** @type {TouchEvent} */ event) => {
    if (pinch) event.preventDefault(); // no click
    if (event.touches.length < 2) pinch = null;
  };
  surface.addEventListener("touchstart", came, { passive: false });
  surface.addEventListener("touchmove", went, { passive: false });
  surface.addEventListener("touchend", left, { passive: false });
  surface.addEventListener("touchcancel", () => (pinch = null));
  surface.addEventListener("pointermove", (event) => pinch && event.stopImmediatePropagation(), { capture: true });
}

/** @type {(zoom: Zoom, over: Over, frame: HTMLElement) => void} */
function drag(zoom, over, frame) {
  const { surface } = over;
  /** @type {{ from: Point, axes: boolean[], part: Part, moves: boolean, dragged: boolean } | null} */
  let held = null;

  /** What the frame holds, in pixels of the surface: of an axis that is not asked for, all. */
  function framed(/** @type {Point} */ to) {
    const { from, axes } = /** @type {NonNullable<typeof held>} */ (held);
    const box = surface.getBoundingClientRect();
    const area = over.area(from);
    const within = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ size) =>
      Math.min(Math.max(at, low), low + size);
    const xs =
      axes[0] && axes[1]
        ? [from.clientX, to.clientX].map((x) => within(x - box.left, area.left, area.width))
        : [area.left, area.left + area.width];
    const ys = [from.clientY, to.clientY].map((y) => within(y - box.top, area.top, area.height));
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys), box };
  }

  function down(/** @type {PointerEvent} */ event) {
    if (event.pointerType === "touch" || event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!zoom.on() || !over.form()) return;
    const { clientX, clientY } = event;
    const from = { clientX, clientY };
    held = { from, axes: over.axes(event), part: zoom.base(), moves: event.shiftKey, dragged: false };
  }

  function move(/** @type {PointerEvent} */ event) {
    if (!held) return;
    if (event.buttons === 0) return let_go();
    const { from, axes, part, moves } = held;
    const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
    if (!held.dragged && Math.hypot(dx, dy) <= SLOP) return;
    if (!held.dragged) surface.setPointerCapture(event.pointerId);
    held.dragged = true;
    event.stopImmediatePropagation(); // it points at nothing
    const area = over.area(from);
    const [tall, wide] = sizeOf(part);
    if (moves) {
      const across = axes[0] && axes[1] ? (dx * wide) / area.width : (dy * wide) / area.height;
      zoom.show(along(moved(part, (-dy * tall) / area.height, -across), part, axes));
      return;
    }
    const { left, right, top, bottom } = framed(event);
    frame.hidden = false;
    place(frame, [left, top, right - left, bottom - top]);
  }

  function up(/** @type {PointerEvent} */ event) {
    if (!held) return;
    const { axes, part, moves, dragged } = held;
    if (dragged && !moves) {
      const { left, right, top, bottom, box } = framed(event);
      const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
        placeAt(part, inside(over.shares({ clientX: x + box.left, clientY: y + box.top })));
      const [[first, start], [last, end]] = [corner(left, top), corner(right, bottom)];
      // A cell that the frame touches is meant.
      const wished = {
        top: Math.floor(first),
        bottom: Math.ceil(last),
        left: Math.floor(start),
        right: Math.ceil(end),
      };
      zoom.show(along(wished, part, axes));
    }
    if (dragged) surface.addEventListener("click", still, { capture: true, once: true });
    setTimeout(() => surface.removeEventListener("click", still, { capture: true }));
    let_go();
  }
  const still = (/** @type {Event} */ event) => event.stopImmediatePropagation();
  function let_go() {
    held = null;
    frame.hidden = true;
  }

  surface.addEventListener("pointerdown", down);
  surface.addEventListener("pointermove", move, { capture: true });
  surface.addEventListener("pointerup", up);
  surface.addEventListener("pointercancel", let_go);
  surface.addEventListener("keydown", (event) => event.key === "Escape" && held?.dragged && let_go(), {
    capture: true,
  });
}
