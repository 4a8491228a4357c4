// @ts-check
// A surface along which one chooses. A mouse chooses where it is pressed, and on while it is held.
// A finger may be about to scroll the page: it chooses where it is lifted, or once it goes along.
const SLOP = 8; // CSS pixels that a finger strays while it taps

/**
 * @param {HTMLElement} surface
 * @param {(event: PointerEvent) => void} choose what lies there is chosen
 */
export function chosenAlong(surface, choose) {
  /** @type {PointerEvent | null} */
  let tap = null; // where a finger came down, as long as nothing came of it

  surface.onpointerdown = (event) => {
    if (event.button !== 0) return;
    surface.setPointerCapture(event.pointerId);
    tap = event.pointerType === "touch" ? event : null;
    if (!tap) choose(event);
  };
  surface.onpointermove = (event) => {
    if (!surface.hasPointerCapture(event.pointerId)) return;
    if (tap && Math.abs(event.clientX - tap.clientX) <= SLOP) return;
    tap = null;
    choose(event);
  };
  surface.onpointerup = (event) => {
    if (tap) choose(event);
    tap = null;
  };
  surface.onpointercancel = () => (tap = null); // the page scrolls
}
