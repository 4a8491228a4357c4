// @ts-check
// The slider over the milestones, and the film that it plays. The browser's own range input
// carries keys, touch and screen readers; what lies under it names the steps.
import { attribute, h, joined, text } from "../views/dom.js";
import { createSwitch } from "../views/kinds.js";
import { format, fragment, visible } from "../data/text.js";
import { SPEEDS } from "./reel.js";

/** @import { FilmState } from "./types" */
/** @import { Film } from "./film.js" */

const FRAME_MS = 600; // at speed 1
const [LABEL, THUMB] = [40, 18]; // pixels that the name of a step wants; of the slider's thumb

/** @param {Film} app */
export function createPlayer(app) {
  const { reel, words, store } = app;
  const last = reel.count - 1;
  const play = h(
    "button",
    { class: "hl-play", type: "button", "data-testid": "hl-play" },
    h("span", { "aria-hidden": "true" }),
  );
  const range = h("input", {
    type: "range",
    class: "hl-range",
    min: "0",
    max: String(last),
    step: "1",
    "aria-label": words.milestones,
    "data-testid": "hl-milestones",
  });
  const marks = reel.steps.map((step) => h("span", { class: "hl-mark" }, app.number(step)));
  const other = h("span", { class: "hl-other", "aria-hidden": "true" });
  const ruler = h("div", { class: "hl-ruler-row", "aria-hidden": "true" }, ...marks, other);
  const count = h("span", { class: "hl-count", "data-testid": "hl-milestone-count" });
  const hint = h("span", { class: "hl-hint", "aria-hidden": "true" }, words.film_hint);
  const speeds = createSwitch(
    words.speed,
    SPEEDS.map((value) => ({ value: String(value), label: `${value}×` })),
    "hl-speed",
    (value) => store.set({ speed: Number(value) }),
  );
  const loop = h("button", { class: "hl-toggle", type: "button", "data-testid": "hl-loop" }, words.loop);
  const said = h("p", { class: "hl-said", "data-testid": "hl-said" });
  const track = h("div", { class: "hl-track" }, range, ruler);
  const bar = h(
    "div",
    { class: "hl-player" },
    play,
    track,
    h("div", { class: "hl-step-text" }, count, hint),
    h("div", { class: "hl-controls" }, speeds.element, loop),
  );
  let timer = 0;
  let placed = "";

  const go = (/** @type {number} */ index) => store.set({ milestone: Math.min(Math.max(index, 0), last) });

  function halt() {
    clearTimeout(timer);
    timer = 0;
    drawPlay();
  }
  function drawPlay() {
    play.dataset.playing = String(Boolean(timer));
    attribute(play, "aria-label", timer ? words.pause : words.play_film);
  }
  function wait() {
    timer = setTimeout(advance, FRAME_MS / store.get().speed);
  }
  function advance() {
    const { milestone, loop: again } = store.get();
    if (!bar.isConnected || (milestone === last && !again)) return halt();
    go(milestone === last ? 0 : milestone + 1);
    return wait();
  }
  function start() {
    wait();
    drawPlay();
  }
  function toggle() {
    if (last === 0) return; // one milestone stands still, by a key as by the button
    if (timer) return halt();
    if (store.get().milestone === last) go(0);
    return start();
  }
  play.onclick = toggle;
  range.oninput = () => {
    halt();
    go(Number(range.value));
  };
  loop.onclick = () => store.set({ loop: !store.get().loop });
  ruler.onclick = (event) => {
    const box = ruler.getBoundingClientRect();
    const share = (event.clientX - box.left - THUMB / 2) / Math.max(1, box.width - THUMB);
    const index = Math.min(last, Math.max(0, Math.round(share * last)));
    halt();
    if (event.shiftKey) store.set({ compare: index, view: "difference" });
    else go(index);
  };

  /**
   * Space plays, arrows go on and back, with shift the milestone that is compared with.
   * @param {KeyboardEvent} event
   */
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const own = /** @type {Element} */ (event.target).matches?.(
      "button, summary, a, select, textarea, input:not([type=range])",
    );
    const { milestone, compare } = store.get();
    const by = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 })[event.key];
    if (event.key === " " && !own) toggle();
    else if (by && event.shiftKey)
      store.set({ compare: Math.min(Math.max(compare + by, 0), last), view: "difference" });
    else if (by && !own) {
      halt();
      go(milestone + by);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const left = (/** @type {number} */ index) =>
    `calc(${THUMB / 2}px + (100% - ${THUMB}px) * ${last > 0 ? index / last : 0})`;

  /**
   * Names of steps where there is room: of those that matter, by rank, then of every so many.
   * @param {number} width
   * @param {number[]} chosen
   */
  function place(width, chosen) {
    const key = `${width}/${chosen}`;
    if (width === 0 || key === placed) return;
    placed = key;
    const every = Math.max(1, Math.ceil((LABEL * last) / Math.max(1, width - THUMB)));
    /** @type {Set<number>} */
    const named = new Set();
    [...chosen, last, ...marks.keys()].forEach((index, rank) => {
      const matters = rank <= chosen.length || index % every === 0;
      if (matters && [...named].every((other) => Math.abs(other - index) >= every)) named.add(index);
    });
    marks.forEach((mark, index) => {
      mark.style.left = left(index);
      mark.classList.toggle("hl-now-mark", index === chosen[0]);
      mark.classList.toggle("hl-unnamed", !named.has(index));
    });
  }

  /** @param {FilmState} state */
  function render(state) {
    const { milestone } = state;
    place(app.sizes.of(track)[0], state.view === "difference" ? [milestone, state.compare] : [milestone]);
    if (Number(range.value) !== milestone) range.value = String(milestone);
    range.disabled = last === 0;
    play.disabled = last === 0;
    const position = format(words.milestone_of, { at: milestone + 1, count: reel.count });
    const after = app.after(milestone);
    const output = joined(reel.outputs[milestone]);
    attribute(range, "aria-valuetext", `${after}, ${position}: ${output || words.wrote_nothing}`);
    text(count, position);
    other.style.left = left(state.compare);
    other.hidden = state.view !== "difference";
    const written = h(
      "bdi",
      { class: output ? "hl-output" : "hl-output hl-note" },
      output ? visible(output) : words.wrote_nothing,
    );
    said.replaceChildren(
      fragment(milestone === 0 && reel.steps[0] === 0 ? words.writes_untrained : words.writes, {
        step: app.number(reel.steps[milestone]),
        output: written,
      }),
      reel.finished[milestone] ? "" : h("span", { class: "hl-note" }, ` ${words.unfinished}`),
    );
    speeds.render(String(state.speed));
    attribute(loop, "aria-pressed", state.loop);
  }

  drawPlay();
  return {
    elements: [bar, said],
    render,
    keys,
    play: start,
    stop: halt,
    playing: () => timer !== 0,
    go: (/** @type {number} */ index) => {
      halt();
      go(index);
    },
  };
}
