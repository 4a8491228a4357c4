// @ts-check
// Remembers what costs much.

/** By key: as many as the limit says, of those that were asked for last. */
export class Memo {
  /** @param {number} limit */
  constructor(limit) {
    this.limit = limit;
    /** @type {Map<string, any>} */
    this.items = new Map();
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => T} make
   * @returns {T}
   */
  get(key, make) {
    const known = this.items.get(key);
    const value = known === undefined ? make() : known;
    this.items.delete(key); // inserted last: what was asked for longest ago leaves first
    this.items.set(key, value);
    const [first] = this.items.keys();
    if (this.items.size > this.limit) this.items.delete(first);
    return value;
  }
}
