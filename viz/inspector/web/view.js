// @ts-check
// What the inspector, the film and the comparison have in common: heads of attention, one of them chosen.
import { Drawn } from "./drawn.js";
import { h, text } from "./views/dom.js";
import { cursorKeys } from "./keys.js";
import { whole } from "./data/part.js";
import { isDecoder } from "./data/seen.js";
import { format, wholePercent } from "./data/text.js";

/** @import { App, HeadState, Kind, Store, Ui } from "./types" */
/** @import { Seen } from "./data/seen.js" */

/**
 * A subclass has `seen`, render(state, all) and facts(). What views ask of it (`App` in types.d.ts) is here as it is
 * where nothing else is said.
 * @template {HeadState} State
 * @extends {Drawn<State>}
 */
export class View extends Drawn {
  /**
   * @param {HTMLElement} root
   * @param {Store<State>} store
   * @param {{ ui: Ui }} meta
   */
  constructor(root, store, meta) {
    super(root, store, meta);
    /** @type {Partial<State> | null} */
    this.awaited = null;
    this.problem = h("p", { class: "hl-note hl-problem", role: "status" });
  }

  /**
   * What rows and columns are of: a model's pieces, or the words made of them.
   * @returns {Seen}
   */
  get seen() {
    throw new Error("a view of nothing");
  }

  /** @type {App["pinned"]} */
  pinned({ kind, pinned }) {
    return pinned && this.seen.shownAt(kind, pinned);
  }

  /** @type {App["pinOf"]} the other way: what is pinned is a cell of pieces */
  pinOf(kind, cell) {
    return this.seen.pieceAt(kind, cell);
  }

  /** @type {App["part"]} all, where nothing else is chosen */
  part({ kind }) {
    return whole(this.seen.site(kind));
  }

  /** @type {App["focusRow"]} the one pointed at, else the pinned one */
  focusRow(state) {
    return state.hover && state.hover[0] >= 0 ? state.hover[0] : (this.pinned(state)?.[0] ?? null);
  }

  /** @type {App["markedRow"]} the one that the page tells of, without being pointed at */
  markedRow(state) {
    return state.step !== null && isDecoder(state.kind) ? this.focusRow(state) : null;
  }

  /** @type {App["tell"]} what was measured of it (core/studies/heads.py) */
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

  /** @param {Kind} kind */
  kindName(kind) {
    return this.words[`kind_${kind}`];
  }

  /** @type {App["title"]} */
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

  /** @param {KeyboardEvent} event */
  cursor(event) {
    cursorKeys(this, event);
  }

  stop() {
    this.awaited = null;
    super.stop();
  }
}
