// @ts-check
// The translation as a row of chips that is the step control: one slider for keys and screen
// readers, a row that is clicked and dragged for everybody else.
import { ChipRow } from "./chips.js";
import { attribute, h, text } from "./dom.js";
import { chosenAlong } from "./drag.js";
import { format, points, visible } from "../data/text.js";

/** @import { Chosen, Compared, Inspecting } from "../types" */

const PLAY_MS = 800;

/**
 * @param {Inspecting} app
 * @param {object} [options]
 * @param {number} [options.every] milliseconds that a step is shown while they are played
 * @param {() => void} [options.stepped] called when one is played, the first one too
 * @param {() => void} [options.halted] when no more is
 */
export function createSteps(app, { every = PLAY_MS, stepped, halted } = {}) {
  const { model, words, store, compare } = app;
  const changes = compare?.role === "causal";
  const changed = (/** @type {number} */ index) => {
    const change = compare?.delta(index) ?? null;
    return { node: change === null ? null : h("span", { class: "hl-delta" }, points(change)) };
  };
  const row = new ChipRow(
    model.written,
    model.read[0],
    {
      class: changes ? "hl-chips hl-chips-changed" : "hl-chips",
      role: "slider",
      tabindex: "0",
      "aria-label": words.steps,
      "aria-valuemin": "1",
      "aria-valuemax": String(model.steps),
      "data-testid": "hl-steps",
    },
    changed,
  );
  const other = compare && otherRow(compare);
  const label = (/** @type {string} */ shown) => h("div", { class: "hl-row-label" }, shown);
  const play = h(
    "button",
    { class: "hl-play", type: "button", "data-testid": "hl-play" },
    h("span", { "aria-hidden": "true" }),
  );
  const count = h("span", { class: "hl-count", "data-testid": "hl-step-count" });
  const base = compare?.baseLabel ?? "";
  const own = changes ? format(words.compare_changes, { row: base }) : base;
  const rows = other ? [label(own), row.element, label(compare.label), other.element] : [row.element];
  const hint = h("span", { class: "hl-hint", "aria-hidden": "true" }, words.step_hint);
  const told = h("div", { class: "hl-step-text" }, count, hint);
  const element = h("div", { class: "hl-steps" }, play, h("div", { class: "hl-rows" }, ...rows), told);
  element.hidden = model.steps === 0;

  let timer = 0;
  const width = () => app.sizes.of(row.element)[0];
  const now = () => store.get().step;
  const go = (/** @type {number} */ step) => store.set({ step: Math.min(Math.max(step, 0), model.steps - 1) });

  function halt() {
    clearInterval(timer);
    timer = 0;
    halted?.();
    drawPlay();
  }
  function drawPlay() {
    play.dataset.playing = String(Boolean(timer));
    attribute(play, "aria-label", timer ? words.pause : words.play);
  }
  play.onclick = () => {
    if (timer) return halt();
    if (now() === model.steps - 1) go(0);
    timer = setInterval(() => {
      if (!element.isConnected || now() >= model.steps - 1) return halt();
      go(now() + 1);
      return stepped?.();
    }, every);
    stepped?.();
    return drawPlay();
  };

  chosenAlong(row.element, (event) => {
    halt();
    go(row.nearest(event, width()));
  });

  /** @param {Chosen} state */
  function render({ step }) {
    if (model.steps === 0 || (step === row.drawn && width() === row.width)) return;
    row.show(step, width());
    other?.show(step, width());
    attribute(row.element, "aria-valuenow", step + 1);
    const position = format(words.step_of, { step: step + 1, steps: model.steps });
    attribute(row.element, "aria-valuetext", `${visible(model.written[step].text)}, ${position}`);
    text(count, position);
  }
  drawPlay();
  return {
    element,
    render,
    halt,
    move: (/** @type {number} */ by) => {
      halt();
      go(now() + by);
    },
  };
}

/**
 * The tokens of the second trace.
 * @param {Compared} compare
 */
function otherRow(compare) {
  return new ChipRow(
    compare.written,
    compare.read[0],
    { class: "hl-chips hl-chips-other", "data-testid": "hl-compare" },
    (index) => ({ className: compare.differs(index) ? "hl-differs" : "" }),
  );
}
