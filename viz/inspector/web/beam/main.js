// @ts-check
// Entry of the beam: every hypothesis of a search, each to be read and opened as a snapshot. The one
// that is read is in the page's address.
import { attribute, h, joined, text, tokenNode } from "../views/dom.js";
import { createMenu, FIGURES_AND_NUMBERS, fileAt } from "../views/menu.js";
import { tokensOf } from "../data/tokens.js";
import { Drawn } from "../drawn.js";
import { mounting } from "../host.js";
import { createStore } from "../store.js";
import { format, percent, score, visible } from "../data/text.js";

/** @import { Store, Token, Wanted } from "../types" */
/** @import { BeamState, Row, Search } from "./types" */

const LEGIBLE = 44; // pixels of a row's own tokens; fewer say nothing

export const mount = mounting({
  sheets: ["style.css", "beam/style.css"],
  testid: "hl-beam",
  room: 320,
  parameters: ["hypothesis"],
  shown: (/** @type {Search} */ search) => ({ ...search, ui: null }),
  open,
});

/**
 * What was read stays, where another search has it.
 * @param {HTMLElement} root
 * @param {{ meta: Search }} data
 * @param {Wanted | null} wanted
 * @param {Beam | null} earlier
 */
function open(root, { meta }, wanted, earlier) {
  const before = earlier?.ids(earlier.row.path).join();
  earlier?.stop();
  const beam = new Beam(root, createStore({ chosen: 0 }), meta);
  const found = beam.rows.findIndex(({ path }) => beam.ids(path).join() === before);
  beam.adopt({ hypothesis: found + 1, ...wanted });
  return beam;
}

/** @extends {Drawn<BeamState>} */
class Beam extends Drawn {
  /**
   * @param {HTMLElement} root
   * @param {Store<BeamState>} store
   * @param {Search} meta
   */
  constructor(root, store, meta) {
    super(root, store, meta);
    this.data = meta;
    const { words } = this;
    /** @type {Token[]} */
    this.tokens = tokensOf(meta.tokens, words, (at) => meta.parents[at]);
    /** @type {Row[]} */
    this.rows = meta.rows.map(([path, from, rank]) => ({ place: path[path.length - 1], path, from, rank }));
    const steps = Math.max(...this.rows.map(({ path }) => path.length));
    this.options = this.rows.map((row, index) => this.option(row, index, steps));
    const heads = Array.from({ length: steps }, (_, step) => h("span", { class: "hl-beam-head" }, String(step + 1)));
    this.list = h(
      "div",
      {
        class: "hl-beam-rows",
        role: "listbox",
        "aria-label": format(words.beam_list, { beam: meta.beam }),
        "data-testid": "hl-beam-rows",
      },
      h("div", { class: "hl-beam-row hl-beam-steps", role: "presentation", "aria-hidden": "true" }, ...heads),
      ...this.options,
    );
    this.list.style.setProperty("--steps", String(steps));
    this.list.onkeydown = (event) => this.key(event);
    this.scroll = h("div", { class: "hl-beam-scroll" }, this.list);
    this.scroll.onscroll = () => this.look();
    this.title = h("p");
    this.parts = h("div", { class: "hl-beam-parts" });
    this.sum = h("p", { class: "hl-note hl-number" });
    this.opener = h("button", { type: "button", class: "hl-beam-open", "data-testid": "hl-beam-open" });
    this.opener.onclick = () => this.open();
    const note = h("p", { class: "hl-note" }, `${format(words.beam_note, { beam: meta.beam })} ${words.beam_keys}`);
    root.replaceChildren(
      meta.search_id ? h("div", { class: "hl-head-bar" }, note, this.menu()) : note,
      this.scroll,
      h(
        "div",
        { class: "hl-beam-detail", "data-testid": "hl-beam-detail" },
        this.title,
        this.parts,
        this.sum,
        this.opener,
      ),
    );
  }

  /** The row that is read. */
  get row() {
    return this.rows[this.store.get().chosen];
  }

  selection(state = this.store.get()) {
    return { hypothesis: state.chosen + 1 };
  }

  /** @param {Wanted} wanted */
  adopt(wanted) {
    const { hypothesis } = { ...this.selection(), ...wanted };
    this.store.set({ chosen: this.within(Number(hypothesis) - 1) });
  }

  /** @param {number} index */
  within(index) {
    return Math.min(Math.max(index, 0), this.rows.length - 1);
  }

  menu() {
    const rows = [{ name: "tree", label: this.words.beam_export, forms: FIGURES_AND_NUMBERS }];
    return createMenu(this, rows, (_, name, form) =>
      fileAt(`${this.data.search_id}/${name}.${form}`, { lang: this.language }),
    ).element;
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

  /** A row whose own tokens are out of sight names them where they are missed. */
  look() {
    const view = this.scroll.getBoundingClientRect();
    // all are read before any is changed
    const boxes = this.options.map((option) =>
      /** @type {Element} */ (option.querySelector(".hl-beam-own")).getBoundingClientRect(),
    );
    this.options.forEach((option, index) => {
      const { left, right, width } = boxes[index];
      const seen = Math.min(right, view.right) - Math.max(left, view.left);
      option.classList.toggle("hl-beam-out", seen < Math.min(width, LEGIBLE));
      text(/** @type {Element} */ (option.querySelector(".hl-beam-away i")), left < view.left ? "← " : "→ ");
    });
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
    const ended = rank >= 0 ? words.beam_answer : words.beam_beyond;
    const kind = data.fates[place] === "ended" ? ended : words.beam_stopped;
    return format(kind, { rank: rank + 1, beam: data.beam, score: score(data.scores[place]) });
  }

  /**
   * A person's choice.
   * @param {number} index
   */
  pick(index) {
    this.store.set({ chosen: index });
    this.options[index].focus({ preventScroll: true });
    // its first token of its own
    this.options[index].firstElementChild?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {BeamState} state */
  render({ chosen }) {
    const { data, words } = this;
    const { place, path, rank } = this.row;
    this.options.forEach((option, at) => {
      attribute(option, "aria-selected", at === chosen);
      attribute(option, "tabindex", at === chosen ? "0" : "-1");
    });
    this.title.replaceChildren(h("strong", {}, this.said(path)), " · ", this.fate(place, path, rank));
    this.parts.replaceChildren(
      ...path.map((at) =>
        h(
          "span",
          { class: "hl-beam-part" },
          tokenNode(this.tokens[at]),
          h("span", { class: "hl-number hl-beam-gain" }, score(data.gains[at])),
        ),
      ),
    );
    const sum = {
      total: score(data.totals[place]),
      penalty: (data.totals[place] / data.scores[place] || 1).toFixed(3),
      score: score(data.scores[place]),
    };
    text(this.sum, format(words.beam_sum, sum));
    this.opener.disabled = this.isShown(path);
    text(this.opener, this.opener.disabled ? words.beam_shown : words.beam_open);
    [this.scroll, this.list].forEach((element) => this.sizes.of(element)); // it looks again when they change
    this.look();
  }

  open() {
    const { path } = this.row;
    if (this.isShown(path)) return;
    this.trigger?.("branch", { prefix: this.ids(path), selection: this.selection() });
    text(this.opener, this.words.beam_opening);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { chosen } = this.store.get();
    /** @type {Record<string, number | undefined>} */
    const places = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: Infinity };
    const to = places[event.key];
    if (event.key === "Enter" || event.key === " ") this.open();
    else if (to === undefined) return;
    else this.pick(this.within(to));
    event.preventDefault();
    event.stopPropagation();
  }
}
