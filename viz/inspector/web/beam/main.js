// @ts-check
// Entry of the beam: every hypothesis of a search, each to be read and opened as a snapshot. The one
// that is read is in the page's address.
import { attribute, h, joined, text, tokenNode } from "../views/dom.js";
import { createMenu, FIGURES, fileAt, NUMBERS } from "../views/menu.js";
import { tokensOf } from "../data/tokens.js";
import { mounts } from "../mounts.js";
import { fragment, format, percent, score, visible } from "../data/text.js";
import { sheetsOf } from "../sheets.js";
import { differs, Reporter, UrlWriter } from "../url.js";

/** @import { Token } from "../types" */
/** @import { Component, Row, Search } from "./types" */

const LEGIBLE = 44; // pixels of a row's own tokens; fewer say nothing
const SHEETS = ["../style.css", "style.css"];

export const mount = mounts((/** @type {Component} */ component) => new Beam(component));

class Beam {
  /** @param {Component} component */
  constructor(component) {
    const { parentElement } = component;
    this.component = component;
    /** @type {Search} */
    this.data = component.data.meta;
    this.words = this.data.text;
    /** @type {Token[]} */
    this.tokens = [];
    this.parent = parentElement;
    this.root = h("div", { class: "hl-root hl-beam-root", "data-testid": "hl-beam" });
    this.links = sheetsOf(SHEETS, import.meta.url);
    this.reporter = new Reporter();
    this.url = new UrlWriter(["hypothesis"], () => this.selection(), this.reporter);
    parentElement.headlight = Object.freeze({
      report: () => this.report(),
      behind: (/** @type {URLSearchParams} */ address, /** @type {boolean} */ reported) =>
        differs(address, this.selection(), reported ? this.url.names : []),
      rests: () => this.reporter.rests,
      forget: () => this.reporter.stop(),
      owned: this.url.names,
    });
    parentElement.append(...this.links, this.root);
    this.drawn = "";
    /** @type {Row[]} */
    this.rows = [];
    this.chosen = -1;
    /** @type {HTMLElement[]} */
    this.options = [];
    this.list = h("div");
    this.detail = h("div");
    /** @type {ResizeObserver | null} */
    this.resized = null;
  }

  /** @param {Component} component */
  update(component) {
    this.component = component;
    const { selection, ...meta } = component.data.meta;
    const wanted = /** @type {number | undefined} */ (this.reporter.news(selection)?.hypothesis);
    const drawn = JSON.stringify(meta);
    if (drawn !== this.drawn) this.show(meta, drawn, wanted);
    else if (wanted) this.choose(this.within(wanted - 1), false);
  }

  /**
   * Another search, or other words: what was read stays, where it is found.
   * @param {Search} meta
   * @param {string} drawn
   * @param {number | undefined} wanted
   */
  show(meta, drawn, wanted) {
    const before = this.rows[this.chosen]?.path.map((place) => this.data.ids[place]).join();
    this.drawn = drawn;
    this.data = meta;
    this.words = meta.text;
    this.tokens = tokensOf(meta.tokens, this.words, (at) => meta.parents[at]);
    this.rows = meta.rows.map(([path, from, rank]) => ({ place: path[path.length - 1], path, from, rank }));
    const found = this.rows.findIndex(({ path }) => this.ids(path).join() === before);
    this.build();
    this.choose(this.within(wanted ? wanted - 1 : found), false);
    if (before !== undefined) this.tell();
  }

  /** @param {number} index */
  within(index) {
    return Math.min(Math.max(index, 0), this.rows.length - 1);
  }

  selection() {
    return { hypothesis: this.chosen + 1 };
  }

  /** The URL and Python hear which one is read. */
  tell() {
    this.url.write(this.selection());
    this.reporter.report((name, value) => this.component.setStateValue?.(name, value), this.selection());
  }

  /** Python hears at once: what follows is to find it in the address. */
  report() {
    this.reporter.now((name, value) => this.component.setStateValue?.(name, value), this.selection());
  }

  menu() {
    const { data, words } = this;
    const rows = [{ name: "tree", label: words.beam_export, forms: [...FIGURES, ...NUMBERS] }];
    const address = (/** @type {null} */ _, /** @type {string} */ name, /** @type {string} */ form) =>
      fileAt(`${data.search_id}/${name}.${form}`, { lang: data.language });
    return createMenu({ words, store: { get: () => null } }, rows, address).element;
  }

  /**
   * What is written, as a branch has it.
   * @param {number[]} path
   */
  ids(path) {
    return [...this.data.given, ...path.map((place) => this.data.ids[place])];
  }

  /**
   * Is it the one that the page shows as a snapshot?
   * @param {number[]} path
   */
  isShown(path) {
    return this.ids(path).join() === this.data.shown.join();
  }

  build() {
    const { data, words } = this;
    this.root.lang = data.language;
    const steps = Math.max(...this.rows.map(({ path }) => path.length));
    this.options = this.rows.map((row, index) => this.option(row, index, steps));
    const heads = Array.from({ length: steps }, (_, step) => h("span", { class: "hl-beam-head" }, String(step + 1)));
    this.list = h(
      "div",
      {
        class: "hl-beam-rows",
        role: "listbox",
        "aria-label": format(words.beam_list, { beam: data.beam }),
        "data-testid": "hl-beam-rows",
      },
      h("div", { class: "hl-beam-row hl-beam-steps", role: "presentation", "aria-hidden": "true" }, ...heads),
      ...this.options,
    );
    this.list.style.setProperty("--steps", String(steps));
    const scroll = h("div", { class: "hl-beam-scroll" }, this.list);
    this.watch(scroll);
    this.detail = h("div", { class: "hl-beam-detail", "data-testid": "hl-beam-detail" });
    this.list.onkeydown = (event) => this.key(event);
    const note = h("p", { class: "hl-note" }, `${format(words.beam_note, { beam: data.beam })} ${words.beam_keys}`);
    this.root.replaceChildren(
      data.search_id ? h("div", { class: "hl-head-bar" }, note, this.menu()) : note,
      scroll,
      this.detail,
    );
  }

  /**
   * A row whose own tokens are out of sight names them where they are missed.
   * @param {HTMLElement} scroll
   */
  watch(scroll) {
    const rows = this.options.map((option) => ({
      option,
      own: /** @type {HTMLElement} */ (option.querySelector(".hl-beam-own")),
      arrow: /** @type {HTMLElement} */ (option.querySelector(".hl-beam-away i")),
    }));
    const look = () => {
      const view = scroll.getBoundingClientRect();
      const boxes = rows.map(({ own }) => own.getBoundingClientRect()); // all are read before any is changed
      rows.forEach(({ option, arrow }, index) => {
        const { left, right, width } = boxes[index];
        const seen = Math.min(right, view.right) - Math.max(left, view.left);
        option.classList.toggle("hl-beam-out", seen < Math.min(width, LEGIBLE));
        text(arrow, left < view.left ? "← " : "→ ");
      });
    };
    scroll.onscroll = look;
    this.resized?.disconnect();
    const resized = new ResizeObserver(look);
    this.resized = resized;
    [scroll, this.list].forEach((element) => resized.observe(element));
  }

  /**
   * @param {Row} row
   * @param {number} index
   * @param {number} steps
   */
  option({ place, path, from, rank }, index, steps) {
    const cells = path.slice(from).map((at, offset) => {
      const cell = h(
        "span",
        { class: `hl-beam-cell${offset === 0 && from > 0 ? " hl-beam-turn" : ""}` },
        tokenNode(this.tokens[at]),
      );
      cell.style.gridColumn = String(from + offset + 1);
      cell.style.setProperty("--p", `${(Math.exp(this.data.gains[at]) * 100).toFixed(1)}%`);
      cell.title = `${visible(this.tokens[at].text)} ${percent(Math.exp(this.data.gains[at]))}`;
      return cell;
    });
    const shown = this.isShown(path);
    const fate = h("span", { class: "hl-beam-fate hl-number" }, this.fate(place, path, rank));
    fate.style.gridColumn = String(steps + 1);
    const own = h("span", { class: "hl-beam-own" });
    own.style.gridColumn = `${from + 1} / ${path.length + 1}`;
    const away = h(
      "span",
      { class: "hl-beam-away", "aria-hidden": "true" },
      h(
        "span",
        {},
        h("i"),
        h("bdi", { class: this.tokens[path[from]].dash && "hl-dash" }, this.said(path.slice(from))),
      ),
    );
    const option = h(
      "div",
      {
        class: `hl-beam-row${rank >= 0 ? " hl-beam-answer" : ""}${shown ? " hl-beam-shown" : ""}`,
        role: "option",
        tabindex: "-1",
        "data-testid": `hl-beam-${index}`,
        "aria-label": `${this.said(path)}. ${this.fate(place, path, rank)}`,
      },
      ...cells,
      own,
      away,
      fate,
    );
    option.onclick = () => this.pick(index);
    option.ondblclick = () => this.open();
    return option;
  }

  /** @param {number[]} path */
  said(path) {
    return joined(path.map((place) => this.tokens[place])) || visible(this.tokens[path[path.length - 1]].text);
  }

  /**
   * Where a hypothesis ended up.
   * @param {number} place
   * @param {number[]} path
   * @param {number} rank
   */
  fate(place, path, rank) {
    const { data, words } = this;
    if (data.fates[place] === "left") return format(words.beam_left, { step: path.length + 1 });
    const kind = data.fates[place] === "ended" ? words.beam_answer : words.beam_stopped;
    return format(kind, { rank: rank >= 0 ? rank + 1 : "–", score: score(data.scores[place]) });
  }

  /**
   * A person's choice.
   * @param {number} index
   */
  pick(index) {
    this.choose(index);
    this.tell();
  }

  /** @param {number} index */
  choose(index, focus = true) {
    this.chosen = index;
    this.options.forEach((option, at) => {
      attribute(option, "aria-selected", at === index);
      attribute(option, "tabindex", at === index ? "0" : "-1");
    });
    if (focus) {
      this.options[index].focus({ preventScroll: true });
      // its first token of its own
      this.options[index].firstElementChild?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    this.describe(this.rows[index]);
  }

  /** @param {Row} row */
  describe({ place, path, rank }) {
    const { data, words } = this;
    const parts = path.map((at) =>
      h(
        "span",
        { class: "hl-beam-part" },
        tokenNode(this.tokens[at]),
        h("span", { class: "hl-number hl-beam-gain" }, score(data.gains[at])),
      ),
    );
    const sum = format(words.beam_sum, {
      total: score(data.totals[place]),
      penalty: (data.totals[place] / data.scores[place] || 1).toFixed(3),
      score: score(data.scores[place]),
    });
    const shown = this.isShown(path);
    const open = h(
      "button",
      { type: "button", class: "hl-beam-open", "data-testid": "hl-beam-open", disabled: shown },
      shown ? words.beam_shown : words.beam_open,
    );
    open.onclick = () => this.open();
    this.detail.replaceChildren(
      h("p", {}, fragment("{said}", { said: h("strong", {}, this.said(path)) }), " · ", this.fate(place, path, rank)),
      h("div", { class: "hl-beam-parts" }, ...parts),
      h("p", { class: "hl-note hl-number" }, sum),
      open,
    );
  }

  open() {
    const { path } = this.rows[this.chosen];
    if (this.isShown(path)) return;
    this.report();
    this.component.setTriggerValue?.("branch", { prefix: this.ids(path) });
    text(/** @type {HTMLElement} */ (this.detail.querySelector(".hl-beam-open")), this.words.beam_opening);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.rows.length - 1;
    /** @type {Record<string, number | undefined>} */
    const places = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, Home: 0, End: last };
    const to = places[event.key];
    if (event.key === "Enter" || event.key === " ") this.open();
    else if (to === undefined) return;
    else this.pick(this.within(to));
    event.preventDefault();
    event.stopPropagation();
  }

  stop() {
    this.reporter.stop();
    this.url.stop();
    this.resized?.disconnect();
    delete this.parent.headlight;
    this.root.remove();
    this.links.forEach((link) => link.remove());
  }
}
