// @ts-check
// One step, stage by stage, in reading order: scores, mask, masked scores, softmax. Each
// stage is the same matrix of the rows written so far; the numbers of the last row follow.
import { paintBar } from "./colour.js";
import { endOfScale, prepare, reach } from "./paint.js";
import { axisNames, createScale, h, placeNames, text } from "./dom.js";
import { pickCell } from "../keys.js";
import { headOf } from "../data/seen.js";
import { format, score } from "../data/text.js";
import { createStagePainter } from "./stagepainter.js";
import { createTip, weightOf } from "./tip.js";

/** @import { App, Chosen, Head, Inspecting } from "../types" */
/** @import { Laid } from "./stagepainter.js" */
/** @import { Line, Says } from "./tip.js" */
/**
 * What is drawn of a stage, or (`message`) why nothing is.
 * @typedef {{ message: string } | {
 *   message?: undefined, rows: number, columns: number, low: number, high: number, status: string,
 *   sums: [number, string][] | null, box: { x: number, y: number, width: number, height: number },
 * }} Drawn
 */

const NAMES = ["scores", "mask", "masked", "weights"];
/**
 * @param {App} app
 * @param {number} at
 * @returns {Line}
 */
const scoreOf = (app, at) => {
  const { scores } = app.current(); // a head's are on their way for a moment
  return scores ? [app.words.cell_score, { score: score(scores[at]) }] : [app.words.scores_loading, {}];
};
/** @type {(app: App, at: number) => boolean} */
const isOpen = ({ seen, store }, at) => seen.allowed(store.get().kind, ...headOf(store.get()))[at] === 1;
/** @type {Record<string, Says>} */
const TELLS = {
  scores: { valueOf: scoreOf, always: true, silent: true },
  mask: {
    valueOf: (app, at) => [app.words.cell_mask, { value: isOpen(app, at) ? "0" : "−∞" }],
    always: true,
  },
  masked: {
    valueOf: (app, at) => (isOpen(app, at) ? scoreOf(app, at) : [app.words.cell_score, { score: "−∞" }]),
    always: true,
  },
  weights: { valueOf: weightOf },
};

/** @param {Inspecting} app */
export function createStages(app) {
  const { model, words } = app;
  const painter = createStagePainter(app);

  /**
   * What stands below the name of a stage; of scores nothing where there are none.
   * @param {string} name
   * @param {Chosen} state
   */
  function noteOf(name, state) {
    const { scores, scores_edited: edited, sink, forced } = model.site(state.kind);
    const { bias, score: made } = model.meta.facts;
    if (name === "mask")
      return model.forbids(state.kind, app.stageRow(state) + 1, ...headOf(state))
        ? words.stage_mask_note
        : words.stage_mask_open;
    if (name === "weights") {
      const how = forced?.[state.layer][state.head].length ? "_forced" : sink ? "_sink" : "";
      return words[`stage_weights${how}_note`];
    }
    if (!scores) return "";
    if (name === "masked") return words.stage_masked_note;
    const said = words[`stage_scores_${bias}_note`] ?? words.stage_scores_note;
    const computed = format(said, { score: words[`score_is_${made}`] ?? words.score_is });
    return edited?.[state.layer][state.head] ? format(words.scores_edited, { scores: computed }) : computed;
  }
  const cards = NAMES.map((name, index) => {
    const canvas = h("canvas", { "aria-hidden": "true", "data-testid": `hl-stage-${name}` });
    const surface = h("div", { class: "hl-stage-surface" }, canvas);
    const message = h("p", { class: "hl-stage-message" });
    const note = h("p", { class: "hl-note" }, noteOf(name, app.store.get()));
    const scale = createScale({ "data-testid": `hl-scale-${name}` });
    const tip = createTip(app, "hl-stage-tip", TELLS[name]);
    surface.append(message, tip.element);
    const axes = axisNames(words);
    const picture = h("div", { class: "hl-stage-picture" }, ...axes, surface);
    const number = h("span", { class: "hl-stage-number" }, String(index + 1));
    const title = h("h3", { class: "hl-sub" }, number, words[`stage_${name}`]);
    const element = h("section", { class: "hl-stage" }, title, note, picture, scale.element);
    const shape = /** @type {Laid | null} */ (null);
    return { name, element, axes, canvas, surface, message, note, scale, tip, shape };
  });
  /** @typedef {typeof cards[number]} Card */
  cards.forEach((card) => {
    card.surface.onpointermove = (event) => {
      const at = cellAt(card, event);
      card.tip.render(app.store.get(), at, at && card.shape && boxOf(card.shape, at));
    };
    card.surface.onpointerleave = () => card.tip.render(app.store.get(), null, null);
    card.surface.onclick = (event) => {
      const at = cellAt(card, event);
      if (at) pickCell(app, at);
    };
  });

  /** @type {(card: Card, event: MouseEvent) => number[] | null} */
  function cellAt({ shape, canvas }, event) {
    if (!shape) return null;
    const box = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - shape.left) / shape.cell);
    const row = Math.floor((event.clientY - box.top - shape.top) / shape.tall);
    return column >= 0 && row >= 0 && column < shape.site.columns && row < shape.site.rows ? [row, column] : null;
  }

  /**
   * @param {Laid} shape
   * @param {number[]} at
   */
  const boxOf = ({ left, top, cell, tall }, [row, column]) => ({
    x: left + column * cell,
    y: top + row * tall,
    width: cell,
    height: tall,
  });

  /** @type {Record<string, Drawn>} */
  let drawn = {};

  /**
   * Smallest and largest score where the head may look or, before the mask, anywhere.
   * @param {Float32Array} scores
   * @param {Uint8Array | null} mask
   */
  function extent(scores, mask) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = 0; at < scores.length; at += 1) {
      if (mask && !mask[at]) continue;
      if (scores[at] < low) low = scores[at];
      if (scores[at] > high) high = scores[at];
    }
    return low > high ? [0, 0] : [low, high];
  }

  /**
   * What stands on a card's canvas; `tell` says the rest.
   * @param {Card} card
   * @param {Chosen} state
   * @param {Head} head
   */
  function draw(card, state, head) {
    const [width, height] = app.sizes.of(card.surface);
    if (width === 0 || height === 0) return;
    const context = prepare(card.canvas, width, height);
    card.shape = null;
    const scored = card.name === "scores" || card.name === "masked";
    const problem = scored ? scoresProblem(app, state, head) : null;
    if (problem) {
      drawn[card.name] = { message: problem };
      return;
    }
    const shape = painter.layout(state.kind, width, height, context);
    card.shape = shape;
    const live = app.stageRow(state) + 1;
    const range =
      scored && head.scores
        ? extent(head.scores, card.name === "masked" ? model.allowed(state.kind, ...headOf(state)) : null)
        : [0, 1];
    drawn[card.name] = {
      rows: live,
      columns: shape.site.columns,
      low: range[0],
      high: range[1],
      status: head.status,
      sums: painter.paint(context, card.name, state, head, range, shape, live),
      box: boxOf(shape, [0, 0]),
    };
  }

  /**
   * Elements after all canvases: a canvas that sets a font wants the styles to be clean.
   * @param {Card} card
   * @param {Chosen} state
   */
  function tell(card, state) {
    const now = drawn[card.name];
    if (!now) return;
    card.tip.render(state, null, null);
    text(card.message, now.message ?? "");
    for (const part of [card.scale.element, ...card.axes]) part.style.visibility = now.message ? "hidden" : "";
    if (card.name === "mask") card.scale.element.style.visibility = "hidden"; // 0 and −∞ are no scale
    if (now.message !== undefined || !card.shape) return;
    placeNames(card.axes, card.shape);
    scaleOf(card, state, [now.low, now.high]);
  }

  /** @type {(card: Card, state: Chosen, range: number[]) => void} */
  function scaleOf(card, state, [low, high]) {
    const weights = card.name === "weights";
    const most = reach([low, high]);
    const table = weights ? app.theme.scales[state.kind] : app.theme.diverging;
    const place = (/** @type {number} */ value) =>
      Math.min(255, Math.max(0, ((value + (weights ? 0 : most)) / (weights ? 1 : 2 * most)) * 255));
    paintBar(card.scale.bar, table, place(low), place(high));
    text(card.scale.low, weights ? "0" : score(low));
    text(card.scale.high, weights ? endOfScale(app.current().weights) : score(high));
  }

  return {
    elements: cards.map((card) => card.element),
    /** @param {Chosen} state */
    render(state) {
      const head = app.current();
      drawn = {};
      cards.forEach((card) => draw(card, state, head));
      cards.forEach((card) => tell(card, state));
      cards.forEach((card) => text(card.note, noteOf(card.name, state)));
    },
    drawn: () => drawn,
    /**
     * Makes the picture of a head that may be asked for next: of its weights, for its scores are not here.
     * @param {Chosen} state
     */
    ahead(state) {
      const { weights, status } = app.headAt(state.layer, state.head);
      const { name, shape } = cards[cards.length - 1];
      if (shape) painter.picture(name, state, status, weights, 1, shape);
    },
  };
}

/**
 * Why there are no raw scores to show, or null.
 * @param {Inspecting} app
 * @param {Chosen} state
 * @param {Head} head
 */
export function scoresProblem(app, state, head) {
  if (!app.model.site(state.kind).scores) return app.words.scores_missing;
  if (head.status === "failed") return app.alone ? app.words.scores_absent : app.words.scores_failed;
  return head.scores ? null : app.words.scores_loading;
}
