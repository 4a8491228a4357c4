// Entry: mount(component) as Streamlit's v2 components call it, again on every change of data
// or theme with the same parentElement; returns the cleanup. Without Streamlit, a page may
// call it with {data, key, parentElement, setStateValue}.
import { readTheme } from "./colour.js";
import { h } from "./dom.js";
import { Inspector } from "./inspector.js";
import { bytesOf, Model } from "./model.js";
import { createStore, same, selectionOf, settle } from "./store.js";
import { Reporter, UrlWriter } from "./url.js";

const mounted = new WeakMap();

export function mount(component) {
  const { parentElement } = component;
  let host = mounted.get(parentElement);
  if (host === undefined) {
    host = new Host(parentElement);
    mounted.set(parentElement, host);
  }
  host.update(component);
  return () => {
    if (mounted.get(parentElement) === host) mounted.delete(parentElement);
    host.unmount();
  };
}

class Host {
  constructor(parentElement) {
    this.parent = parentElement;
    this.root = h("div", { class: "hl-root", "data-testid": "headlight" });
    this.reporter = new Reporter();
    this.url = new UrlWriter();
    this.inspector = null;
    this.shown = "";
    this.styled = this.style();
    parentElement.append(this.root);
    const hook = Object.freeze({ state: () => this.state() });
    this.root.headlight = hook;
    parentElement.headlight = hook;
  }

  /** The sheet comes from beside this module; nothing shows, but room is kept, until then. */
  style() {
    const link = h("link", { rel: "stylesheet", href: new URL("style.css", import.meta.url).href });
    this.root.style.visibility = "hidden";
    this.root.style.minHeight = "600px";
    return new Promise((resolve) => {
      link.onload = resolve;
      link.onerror = resolve;
      this.link = link;
      this.parent.append(link);
    }).then(() => {
      this.root.style.visibility = "";
      this.root.style.minHeight = "";
    });
  }

  update(component) {
    this.component = component;
    const { data } = component;
    if (!data?.meta) return;
    const { ui, compare, trace_id: id } = data.meta;
    const wanted = this.reporter.news(ui.selection ?? {});
    const shown = JSON.stringify([id, ui.language, ui.view, ui.text, compare?.trace_id, compare?.role, compare?.label]);
    if (shown !== this.shown) {
      this.shown = shown;
      try {
        this.rebuild(data, wanted);
      } catch (error) {
        this.fail(error, ui.text ?? {});
        return;
      }
    } else if (wanted && this.store) {
      this.store.set(settle({ ...selectionOf(this.store.get()), ...wanted }, this.inspector.model));
    }
    this.paint();
    requestAnimationFrame(() => this.paint()); // a new theme's variables may come a frame late
  }

  /** Modules and data that do not fit, as after an update under a running server: said, not blank. */
  fail(error, words) {
    console.error(error);
    this.inspector?.stop();
    this.inspector = null;
    this.store = undefined;
    const sentence = words.failed ?? "This view could not be drawn. Restart Headlight and reload the page.";
    this.root.replaceChildren(h("p", { class: "hl-empty", role: "alert" }, sentence));
  }

  async paint() {
    await this.styled;
    if (!this.inspector || !this.root.isConnected) return;
    if (this.inspector.setTheme(readTheme(this.root))) this.inspector.draw();
  }

  /** New data: what was chosen stays chosen where the new trace has it. */
  rebuild(data, wanted) {
    const focus = this.focused();
    const earlier = this.store?.get();
    const model = new Model(data.meta, bytesOf(data.array));
    const before = earlier ? selectionOf(earlier) : {};
    const other = earlier && this.inspector.model.meta.trace_id !== data.meta.trace_id;
    if (other) before.pinned = null; // a cell of another sentence means nothing here
    // Another sentence is shown whole, as a first one is; the same one, looked at otherwise
    // (another target, the mask lifted), stays at its step.
    if (other && !same(this.inspector.model.meta.source, data.meta.source)) before.step = null;
    this.inspector?.stop();
    const looks = { hover: null, pointed: false, mode: earlier?.mode ?? "matrix", stretch: earlier?.stretch ?? false, threshold: earlier?.threshold ?? 0.06 };
    const chosen = model.kinds.length ? settle({ ...before, ...(wanted ?? {}) }, model) : {};
    this.store = createStore({ ...looks, ...chosen });
    this.inspector = new Inspector(this.root, model, this.store, data.meta);
    this.store.subscribe((state, last) => this.changed(state, last));
    if (earlier && chosen.kind && !same(selectionOf(this.store.get()), data.meta.ui.selection)) this.tell();
    if (focus) this.root.querySelector(`[data-testid="${focus}"]`)?.focus({ preventScroll: true });
  }

  focused() {
    const active = this.root.getRootNode().activeElement;
    return this.root.contains(active) ? active.dataset.testid : undefined;
  }

  changed(state, last) {
    const began = performance.now();
    if (!same(selectionOf(state), selectionOf(last))) this.tell();
    this.inspector.schedule();
    this.inspector.handled += performance.now() - began;
  }

  /** The URL and Python hear what is selected now. */
  tell() {
    const now = selectionOf(this.store.get());
    this.url.write(now);
    this.reporter.report((name, value) => this.component.setStateValue?.(name, value), now);
  }

  state() {
    return this.inspector ? this.inspector.state() : { ready: false };
  }

  unmount() {
    this.reporter.stop();
    this.url.stop();
    this.inspector?.stop();
    this.root.remove();
    this.link.remove();
    delete this.parent.headlight;
  }
}
