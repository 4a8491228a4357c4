// @ts-check
// A row of token chips: marks a step, keeps it in view, finds the chip under a pointer.
// Places are measured once a width: measuring after every change would lay out anew.
import { h, tokenNode } from "./dom.js";
import { visible } from "../data/text.js";

/** @import { Token } from "../types" */

const AHEAD = 60; // pixels of neighbours that stay in view

export class ChipRow {
  /**
   * @param {Token[]} tokens
   * @param {Token | undefined} first the token read before anything is written, or undefined
   * @param {Record<string, string>} attributes
   * @param {(index: number) => { node?: Node | null, className?: string }} extra what else a chip carries
   */
  constructor(tokens, first, attributes, extra = () => ({})) {
    this.chips = tokens.map((token, index) => {
      const { node = null, className = "" } = extra(index);
      const names = [
        "hl-chip",
        token.special && "hl-chip-special",
        token.joint && "hl-joint",
        tokens[index + 1]?.joint && "hl-open",
        className,
      ];
      return h("span", { class: names.filter(Boolean).join(" "), title: visible(token.text) }, tokenNode(token), node);
    });
    const start = first ? h("span", { class: "hl-chip hl-start" }, tokenNode(first)) : null;
    this.element = h("div", attributes, start, ...this.chips);
    this.element.onscroll = () => {
      this.scroll = [this.element.scrollLeft, this.element.scrollTop];
    };
    this.scroll = [0, 0];
    this.drawn = -1;
    this.width = -1;
    /** @type {number[][]} */
    this.boxes = [];
    this.room = [0, 0];
    this.all = [0, 0];
  }

  /** @param {number} width */
  measure(width) {
    if (this.width === width) return;
    const row = this.element;
    this.boxes = this.chips.map((chip) => [chip.offsetLeft, chip.offsetTop, chip.offsetWidth, chip.offsetHeight]);
    this.room = [row.clientWidth, row.clientHeight];
    this.all = [row.scrollWidth, row.scrollHeight];
    this.scroll = [row.scrollLeft, row.scrollTop];
    this.width = width;
  }

  /** @type {(event: MouseEvent, width: number) => number} */
  nearest(event, width) {
    this.measure(width);
    const origin = this.element.getBoundingClientRect();
    const x = event.clientX - origin.left + this.scroll[0];
    const y = event.clientY - origin.top + this.scroll[1];
    let [best, least] = [0, Infinity];
    this.boxes.forEach(([left, top, wide, high], index) => {
      const dx = Math.max(left - x, 0, x - left - wide);
      const dy = Math.max(top - y, 0, y - top - high);
      const far = dx * dx + dy * dy * 16; // a row above or below is farther than it looks
      if (far < least) [best, least] = [index, far];
    });
    return best;
  }

  /** @type {(step: number, width: number) => void} */
  show(step, width) {
    if (this.chips.length === 0) return;
    this.measure(width);
    this.reveal(Math.min(step, this.chips.length - 1));
    const before = this.drawn;
    const [low, high] = before < 0 ? [0, this.chips.length - 1] : [Math.min(before, step), Math.max(before, step)];
    for (let index = low; index <= Math.min(high, this.chips.length - 1); index += 1) {
      this.chips[index].classList.toggle("hl-now", index === step);
      this.chips[index].classList.toggle("hl-later", index > step);
    }
    this.drawn = step;
  }

  /** @param {number} step */
  reveal(step) {
    const [left, top, wide, high] = this.boxes[step];
    /** @type {[number, number, number, "scrollLeft" | "scrollTop"][]} */
    const axes = [
      [left, wide, AHEAD, "scrollLeft"],
      [top, high, 8, "scrollTop"],
    ];
    axes.forEach(([from, size, ahead, name], axis) => {
      if (this.all[axis] <= this.room[axis] + 1) return;
      const to = Math.min(
        Math.max(this.scroll[axis], from + size + ahead - this.room[axis]),
        Math.max(0, from - ahead),
      );
      if (to !== this.scroll[axis]) this.element[name] = to;
      this.scroll[axis] = to;
    });
  }
}
