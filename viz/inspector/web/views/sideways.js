// @ts-check
// A box that scrolls sideways. Where it stands is remembered: to ask for it, or to set it, is to
// wait for a layout, and most changes scroll nothing.
/** @param {HTMLElement} box */
export function sideways(box) {
  let at = 0;
  box.addEventListener(
    "scroll",
    () => {
      at = box.scrollLeft;
    },
    { passive: true },
  );
  return {
    /**
     * Brings `from` to `to`, in pixels of what is in it, into the `width` that is seen.
     * @param {number} from
     * @param {number} to
     * @param {number} width
     */
    show(from, to, width) {
      const next = Math.max(0, Math.min(at, from), to - width);
      if (next === at) return;
      at = next;
      box.scrollLeft = next;
    },
  };
}
