// @ts-check
// What the inspector, the film and the comparison have in common: a store, words and a theme, and
// that all is drawn once a frame when something changed.
import { h, text } from "./views/dom.js";
import { cursorKeys, pickCell } from "./keys.js";
import { Sizes } from "./views/sizes.js";
import { format, wholePercent } from "./data/text.js";

/** @import { HeadState, Kind, Store, Theme, Ui } from "./types" */
/** @import { Layout } from "./views/layout.js" */
/** @import { Seen } from "./data/seen.js" */

let count = 0;

/**
 * A subclass has `seen` and draw(all): `all` is false where only what changed is to be drawn. What
 * views ask of it (`App` in types.d.ts) is here as it is where nothing else is said.
 * @template {HeadState} State
 */
export class View {
  /**
   * @param {HTMLElement} root
   * @param {Store<State>} store
   * @param {{ ui: Ui }} meta
   */
  constructor(root, store, { ui }) {
    this.root = root;
    this.store = store;
    this.words = ui.text;
    this.language = ui.language;
    this.view = ui.view;
    this.theme = /** @type {Theme} */ (/** @type {unknown} */ (null)); // until `setTheme`: nothing is drawn before
    this.sizes = new Sizes(() => this.draw());
    this.picturesKept = 4;
    this.frame = 0;
    /** @type {number[]} */
    this.times = []; // script of the last draws, in milliseconds, event handling included
    this.handled = 0;
    /** @type {Partial<State> | null} */
    this.awaited = null;
    count += 1;
    this.live = h("div", { class: "hl-hidden", "aria-live": "polite", id: `hl-live-${count}` });
    this.problem = h("p", { class: "hl-note hl-problem", role: "status" });
    root.lang = ui.language;
    root.dataset.view = ui.view;
  }

  /**
   * What rows and columns are of: a model's pieces, or the words made of them.
   * @returns {Seen}
   */
  get seen() {
    throw new Error("a view of nothing");
  }

  draw(_all = true) {
    throw new Error("a view that draws nothing");
  }

  /**
   * The pinned cell among those shown, or null.
   * @param {HeadState} state
   */
  pinned({ kind, pinned }) {
    return pinned && this.seen.shownAt(kind, pinned);
  }

  /**
   * The other way: what is pinned is a cell of pieces.
   * @param {Kind} kind
   * @param {number[]} cell
   */
  pinOf(kind, cell) {
    return this.seen.pieceAt(kind, cell);
  }

  /**
   * @param {HeadState} _state
   * @returns {number[] | null}
   */
  held(_state) {
    return null;
  }

  /**
   * @param {HeadState} _state
   * @returns {number[][] | null}
   */
  ranking(_state) {
    return null;
  }

  /**
   * @param {HeadState} _state
   * @returns {number[][]}
   */
  heads(_state) {
    return [];
  }

  /**
   * The row that is spoken of: the one pointed at, else the pinned one.
   * @param {HeadState} state
   * @returns {number | null}
   */
  focusRow(state) {
    return state.hover && state.hover[0] >= 0 ? state.hover[0] : (this.pinned(state)?.[0] ?? null);
  }

  /** @param {number[]} _head */
  keep(_head) {
    return false;
  }

  /** @param {HTMLElement} _tapped */
  reveal(_tapped) {}

  /**
   * What was measured of a head (core/studies/heads.py).
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  tell(kind, layer, head) {
    return this.traits(this.seen, kind, layer, head);
  }

  /**
   * @param {Seen} seen
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  traits(seen, kind, layer, head) {
    const { words } = this;
    const share = (/** @type {string} */ name) => [name, wholePercent(seen.trait(kind, name, layer, head))];
    const shares = seen.traitsOf(kind).filter((name) => name !== "entropy");
    return format(words[`traits_${kind}`], {
      entropy: seen.trait(kind, "entropy", layer, head).toFixed(2),
      ...Object.fromEntries(shares.map(share)),
    });
  }

  /** @param {HeadState} _state */
  gridNote(_state) {
    return this.words.grid_note;
  }

  /** @param {Layout} own */
  abreast(own) {
    return [own];
  }

  /**
   * @param {HeadState} _state
   * @param {number[]} _at
   * @returns {[string, Record<string, string>][]}
   */
  madeOf(_state, _at) {
    return [];
  }

  /** @param {Kind} kind */
  kindName(kind) {
    return this.words[`kind_${kind}`];
  }

  /** @param {HeadState} state */
  title(state) {
    return format(this.words.title, { kind: this.kindName(state.kind), layer: state.layer + 1, head: state.head + 1 });
  }

  /**
   * Chooses; what belongs to another kind of attention once its pictures are here.
   * @param {Partial<State> & { kind: Kind }} patch
   */
  async show(patch) {
    this.awaited = patch;
    const { kind } = patch;
    if (!this.seen.has(kind)) {
      try {
        await this.seen.load(kind);
      } catch (error) {
        console.warn(`${kind}: ${error instanceof Error ? error.message : error}`);
        text(this.problem, format(this.words.kind_missing, { kind: this.kindName(kind) }));
        return;
      }
    }
    if (this.awaited !== patch) return; // something else was chosen meanwhile
    text(this.problem, "");
    this.store.set(this.completed(patch));
  }

  /**
   * All that changes with what is chosen.
   * @param {Partial<State> & { kind: Kind }} patch
   * @returns {Partial<State>}
   */
  completed(patch) {
    return patch;
  }

  /** @param {number[]} at */
  pick(at) {
    pickCell(this, at);
  }

  /** @param {KeyboardEvent} event */
  cursor(event) {
    cursorKeys(this, event);
  }

  /**
   * Takes a theme over; says whether it is another one.
   * @param {Theme} theme
   */
  setTheme(theme) {
    if (this.theme?.key === theme.key && this.theme.font === theme.font) return false;
    this.theme = theme;
    this.root.dataset.theme = theme.dark ? "dark" : "light";
    for (const [kind, hue] of Object.entries(theme.hues)) this.root.style.setProperty(`--hl-${kind}`, hue);
    return true;
  }

  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.flush());
  }

  /** Draws now what is scheduled. */
  flush() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.draw(false);
  }

  /**
   * Notes how long a draw took that began then.
   * @param {number} began
   */
  drew(began) {
    this.times = [...this.times.slice(-199), this.handled + performance.now() - began];
    this.handled = 0;
  }

  stop() {
    this.awaited = null;
    cancelAnimationFrame(this.frame);
    this.sizes.stop();
  }
}
