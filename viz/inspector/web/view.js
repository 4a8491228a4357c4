// What the inspector and the film have in common: a store, words and a theme, and that all is
// drawn once a frame when something changed.
import { h, text } from "./views/dom.js";
import { cursorKeys, pickCell } from "./keys.js";
import { Sizes } from "./views/sizes.js";
import { format } from "./data/text.js";

let count = 0;

/** A subclass has draw(all): `all` is false where only what changed is to be drawn. */
export class View {
  constructor(root, store, { ui }) {
    this.root = root;
    this.store = store;
    this.words = ui.text;
    this.language = ui.language;
    this.theme = null;
    this.sizes = new Sizes(() => this.draw());
    this.frame = 0;
    this.times = []; // script of the last draws, in milliseconds, event handling included
    this.handled = 0;
    count += 1;
    this.live = h("div", { class: "hl-hidden", "aria-live": "polite", id: `hl-live-${count}` });
    root.lang = ui.language;
    root.dataset.view = ui.view;
  }

  /** What rows and columns are of: the model's pieces, or the words made of them. */
  get seen() {
    return this.model;
  }

  /** The pinned cell among those shown, or null. */
  pinned({ kind, pinned }) {
    return pinned && this.seen.shownAt(kind, pinned);
  }

  /** The other way: what is pinned is a cell of pieces. */
  pinOf(kind, cell) {
    return this.seen.pieceAt(kind, cell);
  }

  kindName(kind) {
    return this.words[`kind_${kind}`];
  }

  title(state) {
    return format(this.words.title, { kind: this.kindName(state.kind), layer: state.layer + 1, head: state.head + 1 });
  }

  /** Chooses; what belongs to another kind of attention once its pictures are here. */
  async show(patch) {
    this.awaited = patch;
    const { kind } = patch;
    if (!this.model.has(kind)) {
      try {
        await this.model.load(kind);
      } catch (error) {
        console.warn(`${kind}: ${error.message}`);
        text(this.problem, format(this.words.kind_missing, { kind: this.kindName(kind) }));
        return;
      }
    }
    if (this.awaited !== patch) return; // something else was chosen meanwhile
    text(this.problem, "");
    this.store.set(this.completed(patch));
  }

  /** All that changes with what is chosen. */
  completed(patch) {
    return patch;
  }

  pick(at) {
    pickCell(this, at);
  }

  cursor(event) {
    cursorKeys(this, event);
  }

  /** Takes a theme over; says whether it is another one. */
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

  /** Notes how long a draw took that began then. */
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
