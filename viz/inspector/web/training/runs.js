// @ts-check
// The row of runs: one for a new one, then every run with its state; the one in view is lit.
import { attribute, h, text } from "../views/dom.js";
import { same } from "../store.js";

/** @import { Run, Training } from "./types" */
/** @typedef {{ button: HTMLButtonElement, mark: HTMLElement, state: HTMLElement }} Chip */

const MARKS = { starting: "…", running: "", stopping: "", stopped: "‖", failed: "!", lost: "!", finished: "✓" };

/** @param {Training} app */
export function createRuns(app) {
  const { words } = app;
  const element = h("div", {
    class: "tr-runs",
    role: "radiogroup",
    "aria-label": words.runs,
    "data-testid": "tr-runs",
  });
  /** @type {string[] | null} */
  let listed = null;
  /** @type {Map<string, Chip>} */
  let chips = new Map();
  /** @type {string | null} */
  let shown = null; // the chip that was brought into view

  /** @param {string} id */
  function chip(id) {
    const mark = h("i", { class: "tr-mark", "aria-hidden": "true" });
    const state = h("span", { class: "hl-hidden" });
    const button = h(
      "button",
      { type: "button", role: "radio", class: id ? "tr-run" : "tr-run tr-run-new", "data-run": id },
      ...(id ? [mark, h("span", {}, id), state] : [words.new_run]),
    );
    button.onclick = () => app.command("choose", { run: id });
    return { button, mark, state };
  }

  /**
   * @param {Run[]} runs
   * @param {string} chosen
   */
  function render(runs, chosen) {
    const ids = ["", ...runs.map(({ id }) => id)];
    if (!same(ids, listed)) {
      const before = chips;
      listed = ids;
      chips = new Map(ids.map((id) => [id, before.get(id) ?? chip(id)]));
      element.replaceChildren(...[...chips.values()].map(({ button }) => button));
    }
    runs.forEach(({ id, state }) => {
      const one = chips.get(id);
      if (!one) return;
      attribute(one.button, "data-state", state);
      text(one.mark, MARKS[state] ?? "");
      text(one.state, ` (${words[`state_${state}`]})`);
    });
    chips.forEach(({ button }, id) => {
      attribute(button, "aria-checked", id === chosen);
      attribute(button, "tabindex", id === chosen ? "0" : "-1");
    });
    element.hidden = runs.length === 0;
    if (shown !== chosen) reveal(chips.get(chosen)?.button);
    shown = chosen;
  }

  /** @param {HTMLElement | undefined} button */
  function reveal(button) {
    if (!button) return;
    const [from, to] = [button.offsetLeft - 30, button.offsetLeft + button.offsetWidth + 30 - element.clientWidth];
    element.scrollLeft = Math.min(Math.max(element.scrollLeft, to), Math.max(0, from));
  }

  element.onkeydown = (event) => {
    /** @type {Record<string, number | undefined>} */
    const keys = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const by = keys[event.key];
    const { activeElement } = /** @type {Document | ShadowRoot} */ (element.getRootNode());
    const now = [...chips.values()].findIndex(({ button }) => button === activeElement);
    if (by === undefined || now < 0) return;
    event.preventDefault();
    [...chips.values()][(now + by + chips.size) % chips.size].button.focus();
  };

  /** The run in view. */
  const focus = () => [...chips.values()].find(({ button }) => button.tabIndex === 0)?.button.focus();

  return { element, render, focus };
}
