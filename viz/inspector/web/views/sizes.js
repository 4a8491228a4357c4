// @ts-check
// Sizes of elements without asking the layout in the middle of a change: measured once, then
// told by a ResizeObserver.

export class Sizes {
  /** @param {() => void} changed called when a size that was asked for has changed */
  constructor(changed) {
    /** @type {Map<Element, number[]>} */
    this.known = new Map();
    this.observer = new ResizeObserver((entries) => {
      let different = false;
      for (const { target } of entries) {
        const size = [target.clientWidth, target.clientHeight];
        const before = this.known.get(target);
        different ||= before?.[0] !== size[0] || before?.[1] !== size[1];
        this.known.set(target, size);
      }
      if (different) changed();
    });
  }

  /**
   * [width, height] in CSS pixels, 0 where it is hidden.
   * @param {Element} element
   */
  of(element) {
    let size = this.known.get(element);
    if (size === undefined) {
      size = [element.clientWidth, element.clientHeight];
      this.known.set(element, size);
      this.observer.observe(element);
    }
    return size;
  }

  stop() {
    this.observer.disconnect();
  }
}
