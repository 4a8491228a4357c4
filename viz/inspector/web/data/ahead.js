// @ts-check
// Heads that the next key may ask for, worked out while there is nothing else to do. Measured at
// 12 x 12 heads of 256 tokens: the first change after opening, when no code is warm, takes 4 to 7 ms
// of script instead of 8 to 17, and a later one 1 to 2 ms less.

const REST_MS = 60; // a change has been painted by then, and a key that is held down has come again
const IDLE = (
  window.requestIdleCallback ? [window.requestIdleCallback, window.cancelIdleCallback] : [setTimeout, clearTimeout]
).map((call) => call.bind(window));

export class Ahead {
  /**
   * @param {(head: number[]) => void} work is given a head [layer, head] whenever there is time
   * @param {Function[]} idle how to be called when there is, and how not to be any more
   */
  constructor(work, idle = IDLE) {
    this.work = work;
    this.ask = idle[0];
    this.forget = idle[1];
    /** @type {number[][]} */
    this.heads = [];
    this.handle = 0;
    this.rest = 0;
  }

  /**
   * Heads from now on, in this order; those wanted before are left.
   * @param {number[][]} heads
   */
  want(heads) {
    this.stop();
    this.heads = heads;
    if (heads.length) this.rest = setTimeout(() => this.soon(), REST_MS);
  }

  soon() {
    this.handle = this.ask(() => this.next());
  }

  /** One at a time: a key waits for no more. */
  next() {
    const [first, ...later] = this.heads;
    this.heads = later;
    this.work(first);
    if (later.length) this.soon();
  }

  stop() {
    clearTimeout(this.rest);
    this.forget(this.handle);
    this.heads = [];
  }
}
