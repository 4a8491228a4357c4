// @ts-check
// Entry of the Train page: the row of runs, and the one in view as it trains. Called by Streamlit
// as web/host.js describes it. The browser asks the server itself what is new,
// so a page that watches is never run again, and keeps its focus; Python hears commands.
import { readTheme } from "../views/colour.js";
import { h } from "../views/dom.js";
import { mounts } from "../mounts.js";
import { dressed } from "../sheets.js";
import { Sizes } from "../views/sizes.js";
import { followRuns } from "./feed.js";
import { Panel } from "./panel.js";
import { createRuns } from "./runs.js";

/** @import { Theme } from "../types" */
/** @import { Component, Hooked, PageData, Run, Training } from "./types" */

export const mount = mounts((/** @type {Component<PageData>} */ component) => new Page(component));

class Page {
  /** @param {Component<PageData>} component */
  constructor(component) {
    const { parentElement } = component;
    this.component = component;
    this.parent = parentElement;
    /** @type {Hooked} */
    this.root = h("div", { class: "hl-root tr-root", "data-testid": "training" });
    /** @type {Run[]} */
    this.runs = [];
    this.chosen = "";
    /** @type {Panel | null} */
    this.panel = null;
    /** @type {Theme | null} */
    this.theme = null;
    this.shown = "";
    /** @type {ReturnType<typeof createRuns> | null} */
    this.list = null;
    this.sizes = new Sizes(() => this.panel?.curves.redraw());
    const hook = Object.freeze({ state: () => this.state() });
    this.root.headlight = hook;
    parentElement.headlight = hook;
    const { links, here } = dressed(parentElement, this.root, ["style.css", "training/style.css"]);
    this.links = links;
    this.styled = here;
    parentElement.append(this.root);
    this.feed = followRuns((runs) => this.listed(runs));
  }

  /** @param {Component<PageData>} component */
  async update(component) {
    this.component = component;
    const { data } = component;
    await this.styled;
    if (!this.root.isConnected || this.component !== component) return;
    this.retheme();
    requestAnimationFrame(() => this.retheme()); // a new theme's variables may come a frame late
    const shown = JSON.stringify([data.language, data.chosen]);
    if (shown === this.shown) {
      this.panel?.answered(); // whatever was asked for has been done or refused
      return;
    }
    this.shown = shown;
    this.rebuild(data);
  }

  /** @param {PageData} data */
  rebuild(data) {
    this.root.lang = data.language;
    this.runs = this.list && this.runs.length ? this.runs : data.runs;
    this.chosen = data.chosen;
    this.panel?.stop();
    const app = this.app(data);
    this.list = createRuns(app);
    this.panel = data.chosen ? new Panel(app, data.chosen) : null;
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
    const held = this.root.contains(activeElement);
    const top = h("div", { class: "tr-top" }, this.list.element, this.panel?.actions);
    this.root.replaceChildren(top, ...(this.panel ? [this.panel.element] : []));
    this.listed(this.runs);
    if (held) this.list.focus();
  }

  /**
   * @param {PageData} data
   * @returns {Training}
   */
  app(data) {
    const page = this;
    const command = (/** @type {string} */ name, more = {}) =>
      this.component.setTriggerValue?.("command", { name, ...more });
    return {
      words: data.text,
      inspector: data.inspector,
      language: data.language,
      sentence: data.sentence,
      sizes: this.sizes,
      get theme() {
        return /** @type {Theme} */ (page.theme); // known before anything is built
      },
      setStateValue: (name, value) => this.component.setStateValue?.(name, value),
      command,
      gone: (run) => this.chosen === run && command("choose", { run: "" }),
    };
  }

  /** @param {Run[]} runs */
  listed(runs) {
    this.runs = runs;
    this.list?.render(runs, this.chosen);
  }

  retheme() {
    const theme = readTheme(this.root);
    if (this.theme?.key === theme.key && this.theme.font === theme.font) return;
    this.theme = theme;
    this.root.dataset.theme = theme.dark ? "dark" : "light";
    for (const [kind, hue] of Object.entries(theme.hues)) this.root.style.setProperty(`--hl-${kind}`, hue);
    this.panel?.retheme();
  }

  /** Read-only facts of what is drawn, for tests. */
  state() {
    return { runs: this.runs, chosen: this.chosen, panel: this.panel?.drawn() ?? null };
  }

  stop() {
    this.feed.stop();
    this.panel?.stop();
    this.sizes.stop();
    this.root.remove();
    this.links.forEach((link) => link.remove());
    delete this.parent.headlight;
  }
}
