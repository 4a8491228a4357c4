// The translation as a row of chips that is the step control: one slider for keys and screen
// readers, a row that is clicked and dragged for everybody else.
import { attribute, h, tokenNode, text } from "./dom.js";
import { format, signed, visible } from "./text.js";

const PLAY_MS = 800;

export function createSteps(app) {
  const { model, words, store } = app;
  const chips = model.written.map((token, index) =>
    h("span", { class: chipClass(model.written, index), title: visible(token.text) }, tokenNode(token)));
  const first = model.read[0];
  const start = first ? h("span", { class: "hl-chip hl-start" }, tokenNode(first)) : null;
  const row = h("div", {
    class: "hl-chips", role: "slider", tabindex: "0", "aria-label": words.steps,
    "aria-valuemin": "1", "aria-valuemax": String(model.steps), "data-testid": "hl-steps",
  }, start, ...chips);
  const other = app.compare ? createOther(app) : null;
  const play = h("button", { class: "hl-play", type: "button", "data-testid": "hl-play" }, h("span", { "aria-hidden": "true" }));
  const count = h("span", { class: "hl-count", "data-testid": "hl-step-count" });
  const element = h("div", { class: "hl-steps" }, play,
    h("div", { class: "hl-rows" }, other?.baseLabel, row, ...(other ? [other.label, other.row] : [])),
    h("div", { class: "hl-step-text" }, count, h("span", { class: "hl-hint", "aria-hidden": "true" }, words.step_hint)));
  element.hidden = model.steps === 0;

  let timer = 0;
  let boxes = null;
  const go = (step) => store.set({ step: Math.min(Math.max(step, 0), model.steps - 1) });

  function halt() {
    clearInterval(timer);
    timer = 0;
    drawPlay();
  }
  function drawPlay() {
    play.dataset.playing = Boolean(timer);
    attribute(play, "aria-label", timer ? words.pause : words.play);
  }
  play.onclick = () => {
    if (timer) return halt();
    if (store.get().step === model.steps - 1) go(0);
    timer = setInterval(() => {
      if (!element.isConnected || store.get().step >= model.steps - 1) return halt();
      return go(store.get().step + 1);
    }, PLAY_MS);
    return drawPlay();
  };

  function nearest(event) {
    boxes ??= chips.map((chip) => [chip.offsetLeft, chip.offsetTop, chip.offsetWidth, chip.offsetHeight]);
    const origin = row.getBoundingClientRect();
    const x = event.clientX - origin.left + row.scrollLeft;
    const y = event.clientY - origin.top + row.scrollTop;
    let [best, least] = [0, Infinity];
    boxes.forEach(([left, top, width, height], index) => {
      const dx = Math.max(left - x, 0, x - left - width);
      const dy = Math.max(top - y, 0, y - top - height);
      if (dx * dx + dy * dy * 16 < least) [best, least] = [index, dx * dx + dy * dy * 16];
    });
    return best;
  }
  row.onpointerdown = (event) => {
    if (event.button !== 0) return;
    halt();
    boxes = null;
    row.setPointerCapture(event.pointerId);
    go(nearest(event));
  };
  row.onpointermove = (event) => {
    if (row.hasPointerCapture(event.pointerId)) go(nearest(event));
  };

  let drawn = -1;
  function render(state) {
    if (model.steps === 0 || state.step === drawn) return;
    mark(chips, drawn, state.step);
    other?.render(state.step);
    drawn = state.step;
    attribute(row, "aria-valuenow", state.step + 1);
    const position = format(words.step_of, { step: state.step + 1, steps: model.steps });
    attribute(row, "aria-valuetext", `${visible(model.written[state.step].text)}, ${position}`);
    text(count, position);
    reveal(row, chips[state.step]);
  }
  drawPlay();
  return { element, render, halt, move: (by) => { halt(); go(store.get().step + by); }, go };
}

function chipClass(tokens, index) {
  const { special, joint } = tokens[index];
  return `hl-chip${special ? " hl-chip-special" : ""}${joint ? " hl-joint" : ""}${tokens[index + 1]?.joint ? " hl-open" : ""}`;
}

function mark(chips, before, step) {
  const [low, high] = before < 0 ? [0, chips.length - 1] : [Math.min(before, step), Math.max(before, step)];
  for (let index = low; index <= Math.min(high, chips.length - 1); index += 1) {
    chips[index].classList.toggle("hl-now", index === step);
    chips[index].classList.toggle("hl-later", index > step);
  }
}

function reveal(row, chip) {
  if (!chip || row.scrollWidth <= row.clientWidth + 1) return;
  const left = chip.offsetLeft - 60;
  const right = chip.offsetLeft + chip.offsetWidth + 60 - row.clientWidth;
  if (row.scrollLeft > left) row.scrollLeft = Math.max(0, left);
  else if (row.scrollLeft < right) row.scrollLeft = right;
}

/** The second look: its tokens, and for a lifted mask what that did to the right answer. */
function createOther(app) {
  const { compare, words } = app;
  const chips = compare.written.map((token, index) => {
    const delta = compare.delta(index);
    const number = delta === null ? null : h("span", { class: "hl-delta" }, signed(delta));
    if (delta !== null) number.title = format(words.compare_delta, { delta: signed(delta) });
    const differs = compare.differs(index) ? " hl-differs" : "";
    return h("span", { class: chipClass(compare.written, index) + differs }, tokenNode(token), number);
  });
  const first = compare.read[0];
  const row = h("div", { class: "hl-chips hl-chips-other", "data-testid": "hl-compare" },
    first ? h("span", { class: "hl-chip hl-start" }, tokenNode(first)) : null, ...chips);
  let drawn = -1;
  return {
    row,
    baseLabel: h("div", { class: "hl-row-label" }, compare.baseLabel),
    label: h("div", { class: "hl-row-label" }, compare.label),
    render(step) {
      mark(chips, drawn, step);
      drawn = step;
      reveal(row, chips[Math.min(step, chips.length - 1)]);
    },
  };
}
