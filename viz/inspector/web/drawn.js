// @ts-check
// What all that a host mounts has in common: a store, words and a theme, and that it is drawn once
// a frame when something changed.
import { h } from "./views/dom.js";
import { Sizes } from "./views/sizes.js";
import { hearUnclaimed } from "./unclaimed.js";

/** @import { Child, Store, Theme, Ui } from "./types" */

let count = 0;

/**
 * A subclass has render(state, all) and facts().
 * @template {object} State
 */
export class Drawn {
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
    this.frame = 0;
    /** @type {number[]} */
    this.times = []; // script of the last draws, in milliseconds, event handling included
    this.handled = 0;
    count += 1;
    this.live = h("div", { class: "hl-hidden", "aria-live": "polite", id: `hl-live-${count}` });
    this.unheard = () => {}; // ends what `hears` began
    /** @type {((name: string, value: unknown) => void) | undefined} */
    this.trigger = undefined; // the host's: hands something over to Python at once
    root.lang = ui.language;
    root.dataset.view = ui.view;
  }

  /** Is there something to choose? */
  get chosen() {
    return true;
  }

  /** `all` is false where only what changed is to be drawn. */
  draw(all = true) {
    if (!this.theme || !this.chosen) return;
    const began = performance.now();
    this.render(this.store.get(), all);
    this.times = [...this.times.slice(-199), this.handled + performance.now() - began];
    this.handled = 0;
  }

  /**
   * @param {State} _state
   * @param {boolean} _all
   */
  render(_state, _all) {
    throw new Error("a view that draws nothing");
  }

  /**
   * Read-only facts of what is drawn, for tests.
   * @returns {Record<string, unknown>}
   */
  state() {
    if (!this.theme || !this.chosen) return { ready: false };
    const facts = this.facts(); // some draw first what is scheduled
    const { frame, theme, times, view } = this;
    return { ready: true, pending: frame !== 0, view, dark: theme.dark, scriptMs: times.slice(), ...facts };
  }

  /**
   * What else `state` tells.
   * @returns {Record<string, unknown>}
   */
  facts() {
    return {};
  }

  /**
   * Puts parts into its place, after what is spoken.
   * @param {string} name of them all
   * @param {Child[]} parts
   */
  fill(name, ...parts) {
    this.root.replaceChildren(h("div", { class: "hl-frame", role: "group", "aria-label": name }, this.live, ...parts));
  }

  /**
   * Keys anywhere in it are its own, and arrows and space also while nothing has the focus.
   * @param {(event: KeyboardEvent) => void} act
   */
  hears(act) {
    this.root.onkeydown = act;
    this.unheard();
    this.unheard = hearUnclaimed(this.root, act);
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

  stop() {
    cancelAnimationFrame(this.frame);
    this.unheard();
    this.sizes.stop();
  }
}
