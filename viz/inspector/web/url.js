// @ts-check
// Where the selection goes: into the page's URL (once it is painted; less often while one
// drags for long), and lazily to Python.
//
// Contract: a view owns the URL parameters that it names, such as kind, layer, head and step
// (counting from 1), and leaves every other one alone; it replaces the current history entry,
// never adds one. What is null is left out of it. Python writes the same names, from the value that
// `report` sends it, so the two agree; where it writes before it has heard, the view writes again.
import { same } from "./store.js";

/** @import { Wanted } from "./types" */

const REST_MS = 400;
const WRITTEN = "headlight-address"; // Python has written the address (viz/server/frame/frame.js)
const PAINTED_MS = 50; // a change is painted by then
// Browsers refuse more than 100 changes in 30 seconds; 20 quick ones and 75 slow ones are fewer.
const [QUICK, SLOW_MS, COUNTED_MS] = [20, 400, 30_000];

/** As an address spells a value; a cell is 7.4. */
const spelled = (/** @type {unknown} */ value) => (Array.isArray(value) ? value.join(".") : String(value));

/** @type {(names: string[], selection: Wanted) => void} */
function write(names, selection) {
  if (!window.location.protocol.startsWith("http")) return; // a file or a notebook has no address
  const url = new URL(window.location.href);
  for (const name of names) {
    const value = selection[name];
    if (value === null) url.searchParams.delete(name);
    else if (value !== undefined) url.searchParams.set(name, spelled(value));
  }
  // Past viz/server/frame/frame.js, which listens to what Streamlit writes.
  if (url.href !== window.location.href) History.prototype.replaceState.call(history, history.state, "", url);
}

/**
 * Does an address say something else than is selected? Where it says nothing, an option is at its
 * default, and anything else is not asked about.
 * @param {URLSearchParams} address
 * @param {Wanted} selection
 * @param {string[]} options
 */
export function differs(address, selection, options) {
  return Object.entries(selection).some(
    ([name, value]) =>
      (options.includes(name) || address.has(name)) && address.get(name) !== (value === null ? null : spelled(value)),
  );
}

/** A change goes out as soon as it is painted; while many follow each other, some go out together. */
export class UrlWriter {
  /**
   * @param {string[]} names what the view owns
   * @param {() => Wanted | null} current the selection, null while it is not known
   * @param {Reporter} reporter what would tell Python of it
   */
  constructor(names, current, reporter) {
    this.names = names;
    this.path = window.location.pathname;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Wanted} */
    this.next = {};
    /** @type {number[]} */
    this.written = []; // when
    this.rewrite = () => {
      const selection = current();
      if (selection) this.write(selection);
    };
    this.forget = () => {
      // who went back is told by the address, not the other way round
      this.drop();
      reporter.stop();
    };
    window.addEventListener(WRITTEN, this.rewrite);
    window.addEventListener("popstate", this.forget);
  }

  /** @param {Wanted} selection */
  write(selection) {
    this.next = selection;
    this.timer ||= setTimeout(() => this.flush(), this.recent().length < QUICK ? PAINTED_MS : SLOW_MS);
  }

  flush() {
    this.timer = undefined;
    this.written = [...this.recent(), performance.now()];
    if (window.location.pathname === this.path) write(this.names, this.next); // else the page was left
  }

  recent() {
    const since = performance.now() - COUNTED_MS;
    return this.written.filter((at) => at > since);
  }

  /** What is not written yet stays unwritten. */
  drop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  stop() {
    this.drop();
    window.removeEventListener(WRITTEN, this.rewrite);
    window.removeEventListener("popstate", this.forget);
  }
}

/** Tells Python once the selection has rested; knows its own echo when it comes back. */
export class Reporter {
  /** @param {(name: string, value: Wanted) => void} setStateValue */
  constructor(setStateValue) {
    this.setStateValue = setStateValue;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Wanted[]} */
    this.sent = [];
    /** @type {Wanted[]} */
    this.unsent = []; // what the address may say already, and Python has not heard
    /** @type {Wanted | null} */
    this.seen = null;
    /** @type {number | null} */
    this.turn = null;
  }

  /** Is there something that waits to be told? */
  get rests() {
    return this.timer !== undefined;
  }

  /**
   * A selection to adopt from Python, or null when it is only an echo or an old one. Another
   * `turn` means that an address was opened, by a link or by going back: it leads, unless it
   * says what was only just written to it.
   * @param {Wanted & { turn?: number }} told
   */
  news({ turn = 0, ...selection }) {
    const among = (/** @type {Wanted[]} */ earlier) => earlier.some((known) => same(known, selection));
    const leads = turn !== this.turn;
    const known = leads ? among(this.unsent) : this.rests || same(selection, this.seen) || among(this.sent);
    this.turn = turn;
    this.seen = selection;
    if (known) return null;
    this.stop();
    return selection;
  }

  /** @param {Wanted} selection */
  report(selection) {
    clearTimeout(this.timer);
    this.unsent = [...this.unsent.slice(-63), selection];
    this.timer = setTimeout(() => this.now(selection), REST_MS);
  }

  /**
   * The same at once, as who leaves for another page wants it: nothing follows later.
   * @param {Wanted} selection
   */
  now(selection) {
    this.stop();
    if (same(this.sent.at(-1), selection)) return;
    this.sent = [...this.sent.slice(-7), selection];
    this.setStateValue("selection", selection);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.unsent = [];
  }
}
