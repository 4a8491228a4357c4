// @ts-check
// What every component of ours does with Streamlit: it is called again on every change of data
// or theme with the same parentElement, and returns the cleanup. Without Streamlit, a page may
// call it with {data, key, parentElement, setStateValue}; `selected`, where it has one, hears of
// every selection at once. A page that has all within itself brings its style (text) and the
// source of its bytes (source.js).
import { readTheme } from "./views/colour.js";
import { attribute, h } from "./views/dom.js";
import { mounts } from "./mounts.js";
import { dressed } from "./sheets.js";
import { same } from "./store.js";
import { Typed } from "./typed.js";
import { differs, Reporter, UrlWriter } from "./url.js";

/** @import { Component, Hook, Mounted, Mounting, Ui, Wanted, Words } from "./types" */

/**
 * A `mount(component)` for one kind of view.
 * @template {Mounted} View
 * @template {{ meta: { ui: Ui } }} Data
 * @template Prepared
 * @param {Mounting<View, Data, Prepared>} kind
 */
export function mounting(kind) {
  return mounts((/** @type {Component<Data>} */ component) => new Host(component, kind));
}

/**
 * @template {Mounted} View
 * @template {{ meta: { ui: Ui } }} Data
 * @template Prepared
 */
class Host {
  /**
   * @param {Component<Data>} component
   * @param {Mounting<View, Data, Prepared>} kind
   */
  constructor(component, kind) {
    const { parentElement, style } = component;
    this.component = component;
    this.parent = parentElement;
    this.kind = kind;
    this.root = h("div", { class: "hl-root", "data-testid": kind.testid ?? "headlight" });
    this.reporter = new Reporter((name, value) => this.component.setStateValue?.(name, value));
    this.options = kind.options ?? [];
    this.url = new UrlWriter(
      [...kind.parameters, ...this.options],
      () => (this.opening === null && this.view?.chosen ? this.view.selection() : null),
      this.reporter,
    );
    /** @type {View | null} */
    this.view = null;
    this.shown = "";
    /** @type {Wanted | null} */
    this.wanted = null;
    this.held = ""; // what had the focus in the view before, until it has it again
    /** @type {HTMLElement[]} */
    this.links = [];
    /** @type {string[]} */
    this.overtaken = []; // what Python may bring still, where a typed sentence is drawn already
    this.typed = new Typed(
      () => this.component.data?.meta?.ui.asks ?? {},
      (meta) => this.overtake(meta),
    );
    /** @type {string | null} */
    this.opening = null; // what is fetched before it can be drawn
    this.styled = this.style(style);
    parentElement.append(this.root);
    /** @type {Hook} */
    const hook = Object.freeze({
      state: () => this.state(),
      report: () => this.report(),
      behind: (/** @type {URLSearchParams} */ address, /** @type {boolean} */ reported) =>
        this.view !== null &&
        this.view.chosen &&
        differs(address, this.view.selection(), reported ? this.url.names : this.options),
      rests: () => this.reporter.rests,
      forget: () => this.reporter.stop(),
      owned: this.url.names,
    });
    Object.assign(this.root, { headlight: hook });
    parentElement.headlight = hook;
  }

  /**
   * The sheets come from beside this module; nothing shows, but room is kept, until then.
   * @param {string} [text]
   */
  async style(text) {
    if (text !== undefined) {
      this.links = [h("style", {}, text)];
      this.parent.append(...this.links);
      return;
    }
    const { links, here } = dressed(this.parent, this.root, this.kind.sheets);
    this.links = links;
    this.root.style.minHeight = `${this.kind.room}px`;
    await here;
    this.root.style.minHeight = "";
  }

  /** @param {Component<Data>} component */
  update(component) {
    const { data } = component;
    if (!data?.meta) {
      this.component = component;
      return;
    }
    const shown = this.shownOf(data.meta);
    if (this.overtaken.includes(shown)) this.component = { ...component, data: this.component.data };
    else this.take(component, shown);
    this.paint();
    requestAnimationFrame(() => this.paint()); // a new theme's variables may come a frame late
  }

  /**
   * What makes another view of it: all that is not the selection.
   * @param {Data["meta"]} meta
   */
  shownOf(meta) {
    const { ui } = meta;
    return JSON.stringify([ui.language, ui.view, ui.text, this.kind.shown(meta)]);
  }

  /**
   * What Python shows from here on.
   * @param {Component<Data>} component
   * @param {string} shown
   */
  take(component, shown) {
    const { data } = component;
    const caughtUp = this.overtaken.length > 0;
    this.component = component;
    this.overtaken = [];
    this.typed.forget(); // Python is as far
    const wanted = this.reporter.news(data.meta.ui.selection ?? {});
    if (shown !== this.shown) {
      this.shown = shown;
      this.wanted = wanted;
      this.open(data, shown);
    } else if (this.opening === shown) this.wanted = wanted ?? this.wanted;
    else if (wanted) this.view?.adopt(wanted);
    if (caughtUp && this.opening === null && this.view) this.placed(this.view, data);
  }

  /**
   * A typed sentence, drawn as if Python had brought it, which it will.
   * @param {object} snapshot
   */
  overtake(snapshot) {
    const meta = /** @type {Data["meta"]} */ ({ ...snapshot, ui: this.component.data.meta.ui });
    const shown = this.shownOf(meta);
    if (shown === this.shown) return;
    this.overtaken.push(this.shown);
    this.component = { ...this.component, data: /** @type {Data} */ ({ meta }) };
    this.shown = shown;
    this.wanted = null;
    this.open(this.component.data, shown);
  }

  /**
   * @param {Data} data
   * @param {string} shown
   */
  async open(data, shown) {
    this.opening = shown;
    attribute(this.root, "aria-busy", true); // what is drawn is old: the style sheet says so, if it lasts
    try {
      const prepared = await this.kind.prepare?.(this.component, this.wanted, this.view);
      if (this.opening !== shown) return; // another one is opened by now
      this.rebuild(data, /** @type {Prepared} */ (prepared));
    } catch (error) {
      if (this.opening !== shown) return;
      this.shown = ""; // the same data may do better next time
      this.fail(error, data.meta.ui.text ?? {});
    }
    this.opening = null;
    attribute(this.root, "aria-busy", false);
    this.paint();
  }

  /**
   * Modules and data that do not fit, as after an update under a running server: said, not blank.
   * @param {unknown} error
   * @param {Words} words
   */
  fail(error, words) {
    console.error(error);
    this.view?.stop();
    this.view = null;
    const sentence = words.failed ?? "This view could not be drawn. Restart Headlight and reload the page.";
    this.root.replaceChildren(h("p", { class: "hl-empty", role: "alert" }, sentence));
  }

  async paint() {
    await this.styled;
    if (!this.view || !this.root.isConnected) return;
    if (this.view.setTheme(readTheme(this.root))) this.view.draw();
    this.refocus(); // what a first drawing alone has made
  }

  /**
   * New data: what was chosen stays chosen where the new view has it.
   * @param {Data} data
   * @param {Prepared} prepared
   */
  rebuild(data, prepared) {
    this.held = this.focused() || this.held;
    const earlier = this.view;
    const view = this.kind.open(this.root, data, this.wanted, earlier, prepared);
    this.view = view;
    view.trigger = (name, value) => {
      this.reporter.stop(); // the selection travels with it: one rerun
      this.component.setTriggerValue?.(name, value);
    };
    view.store.subscribe((state, last) => this.changed(view, state, last));
    if (earlier && this.overtaken.length === 0) this.placed(view, data);
    this.refocus();
  }

  /** What had the focus in the view before has it again, unless something else has by now. */
  refocus() {
    const again = this.held && this.root.querySelector(this.held);
    const free = document.activeElement === document.body;
    if (!free) this.held = "";
    if (!free || !(again instanceof HTMLElement)) return;
    this.held = "";
    again.focus({ preventScroll: true });
  }

  /**
   * Where another trace is at home, the URL and Python hear what is chosen in it.
   * @param {View} view
   * @param {Data} data
   */
  placed(view, { meta }) {
    if (!view.chosen) return;
    if (same(view.selection(), meta.ui.selection)) this.url.write(view.selection());
    else this.tell(view);
  }

  /** How what has the focus is found in another view: by its name, or as what is chosen within one. */
  focused() {
    const root = this.root.getRootNode();
    const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
    if (!(active instanceof HTMLElement) || !this.root.contains(active)) return "";
    const { testid } = /** @type {HTMLElement} */ (active.closest("[data-testid]")).dataset;
    const role = active.dataset.testid ? "" : ` [role="${active.getAttribute("role")}"][tabindex="0"]`;
    return `[data-testid="${testid}"]${role}`;
  }

  /**
   * @param {View} view
   * @param {object} state
   * @param {object} last
   */
  changed(view, state, last) {
    const began = performance.now();
    if (!same(view.selection(state), view.selection(last))) this.tell(view);
    view.schedule();
    view.handled += performance.now() - began;
  }

  /**
   * The URL and Python hear what is selected now.
   * @param {View} view
   */
  tell(view) {
    const now = view.selection();
    if (this.overtaken.length === 0) this.url.write(now); // else it is the sentence's before
    this.component.selected?.(now);
    this.reporter.report(now);
  }

  /** Python hears at once: the page is about to be left, and nothing may be sent after that. */
  report() {
    if (this.view) this.reporter.now(this.view.selection());
  }

  state() {
    if (!this.view) return { ready: false };
    const state = this.view.state();
    return this.opening === null ? state : { ...state, pending: true }; // another is on its way
  }

  stop() {
    this.opening = null;
    this.reporter.stop();
    this.typed.stop();
    this.url.stop();
    this.view?.stop();
    this.root.remove();
    this.links.forEach((link) => link.remove());
    delete this.parent.headlight;
  }
}
