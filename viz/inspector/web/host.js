// What every component of ours does with Streamlit: it is called again on every change of data
// or theme with the same parentElement, and returns the cleanup. Without Streamlit, a page may
// call it with {data, key, parentElement, setStateValue}; `selected`, where it has one, hears of
// every selection at once. A page that has all within itself brings its style (text) and the
// source of its bytes (source.js).
import { readTheme } from "./views/colour.js";
import { h } from "./views/dom.js";
import { mounts } from "./mounts.js";
import { same } from "./store.js";
import { Typed } from "./typed.js";
import { differs, Reporter, UrlWriter } from "./url.js";

/**
 * A `mount(component)` for one kind of view.
 * @param kind {sheets: style sheets beside this module, room: pixels kept until they are here,
 *   parameters: names of the selection that the URL carries, options: those that are left out of it
 *   at their default, shown: (meta) => what makes the view another one, prepare: async
 *   (component, wanted, earlier) => what is not here yet, open: (root, data, wanted, earlier, prepared) => the view}
 *
 * A view has: store, chosen (is there anything to choose), selection(), adopt(wanted),
 * setTheme(theme), schedule(), draw(), handled (ms of events), state() and stop().
 */
export function mounting(kind) {
  return mounts((component) => new Host(component, kind));
}

class Host {
  constructor({ parentElement, style }, kind) {
    this.parent = parentElement;
    this.kind = kind;
    this.root = h("div", { class: "hl-root", "data-testid": "headlight" });
    this.reporter = new Reporter();
    this.options = kind.options ?? [];
    this.url = new UrlWriter(
      [...kind.parameters, ...this.options],
      () => (this.opening === null && this.view?.chosen ? this.view.selection() : null),
      this.reporter,
    );
    this.view = null;
    this.shown = "";
    this.overtaken = []; // what Python may bring still, where a typed sentence is drawn already
    this.typed = new Typed(
      () => this.component?.data?.meta?.ui.asks ?? "",
      (meta) => this.overtake(meta),
    );
    this.opening = null; // what is fetched before it can be drawn
    this.styled = this.style(style);
    parentElement.append(this.root);
    const hook = Object.freeze({
      state: () => this.state(),
      report: () => this.report(),
      behind: (address, reported) =>
        Boolean(this.view?.chosen) && differs(address, this.view.selection(), reported ? this.url.names : this.options),
      rests: () => this.reporter.rests,
      forget: () => this.reporter.stop(),
      owned: this.url.names,
    });
    this.root.headlight = hook;
    parentElement.headlight = hook;
  }

  /** The sheets come from beside this module; nothing shows, but room is kept, until then. */
  async style(text) {
    if (text !== undefined) {
      this.links = [h("style", {}, text)];
      this.parent.append(...this.links);
      return;
    }
    this.links = this.kind.sheets.map((name) =>
      h("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }),
    );
    this.root.style.visibility = "hidden";
    this.root.style.minHeight = `${this.kind.room}px`;
    const loaded = this.links.map(
      (link) =>
        new Promise((resolve) => {
          link.onload = resolve;
          link.onerror = resolve;
        }),
    );
    this.parent.append(...this.links);
    await Promise.all(loaded);
    this.root.style.visibility = "";
    this.root.style.minHeight = "";
  }

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

  /** What makes another view of it: all that is not the selection. */
  shownOf(meta) {
    const { ui } = meta;
    return JSON.stringify([ui.language, ui.view, ui.text, this.kind.shown(meta)]);
  }

  /** What Python shows from here on. */
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
    if (caughtUp && this.opening === null && this.view) this.placed(data);
  }

  /** A typed sentence, drawn as if Python had brought it, which it will. */
  overtake(snapshot) {
    const meta = { ...snapshot, ui: this.component.data.meta.ui };
    const shown = this.shownOf(meta);
    if (shown === this.shown) return;
    this.overtaken.push(this.shown);
    this.component = { ...this.component, data: { meta } };
    this.shown = shown;
    this.wanted = null;
    this.open(this.component.data, shown);
  }

  async open(data, shown) {
    this.opening = shown;
    try {
      const prepared = await this.kind.prepare?.(this.component, this.wanted, this.view);
      if (this.opening !== shown) return; // another one is opened by now
      this.rebuild(data, prepared);
    } catch (error) {
      if (this.opening !== shown) return;
      this.shown = ""; // the same data may do better next time
      this.fail(error, data.meta.ui.text ?? {});
    }
    this.opening = null;
    this.paint();
  }

  /** Modules and data that do not fit, as after an update under a running server: said, not blank. */
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
  }

  /** New data: what was chosen stays chosen where the new view has it. */
  rebuild(data, prepared) {
    const focus = this.focused();
    const earlier = this.view;
    this.view = this.kind.open(this.root, data, this.wanted, earlier, prepared);
    this.view.trigger = (name, value) => {
      this.reporter.stop(); // the selection travels with it: one rerun
      this.component.setTriggerValue?.(name, value);
    };
    this.view.store.subscribe((state, last) => this.changed(state, last));
    if (earlier && this.overtaken.length === 0) this.placed(data);
    if (focus) this.root.querySelector(`[data-testid="${focus}"]`)?.focus({ preventScroll: true });
  }

  /** Where another trace is at home, the URL and Python hear what is chosen in it. */
  placed({ meta }) {
    if (!this.view.chosen) return;
    if (same(this.view.selection(), meta.ui.selection)) this.url.write(this.view.selection());
    else this.tell();
  }

  focused() {
    const active = this.root.getRootNode().activeElement;
    return this.root.contains(active) ? active.dataset.testid : undefined;
  }

  changed(state, last) {
    const began = performance.now();
    if (!same(this.view.selection(state), this.view.selection(last))) this.tell();
    this.view.schedule();
    this.view.handled += performance.now() - began;
  }

  /** The URL and Python hear what is selected now. */
  tell() {
    const now = this.view.selection();
    if (this.overtaken.length === 0) this.url.write(now); // else it is the sentence's before
    this.component.selected?.(now);
    this.reporter.report((name, value) => this.component.setStateValue?.(name, value), now);
  }

  /** Python hears at once: the page is about to be left, and nothing may be sent after that. */
  report() {
    if (this.view)
      this.reporter.now((name, value) => this.component.setStateValue?.(name, value), this.view.selection());
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
