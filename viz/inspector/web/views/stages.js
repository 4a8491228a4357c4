// @ts-check
// One step, stage by stage, in reading order: scores, mask, masked scores, softmax. Each
// stage is the same matrix of the rows written so far; the numbers of the last row follow.
import { cssOf, hatch } from "./colour.js";
import {
  bitmap,
  drawColumnLabel,
  drawLabel,
  hatched,
  labelsOf,
  markRow,
  Memo,
  pixels,
  prepare,
  sized,
  slantRoom,
  snap,
  stride,
} from "./paint.js";
import { pooled } from "../data/pooled.js";
import { axisNames, h, placeNames, text } from "./dom.js";
import { headOf } from "../data/seen.js";
import { near, score } from "../data/text.js";
import { createTip, weightOf } from "./tip.js";

/** @import { App, Chosen, Head, Inspecting, Kind, Label, Site } from "../types" */
/** @import { Line, Says } from "./tip.js" */
/** @typedef {CanvasRenderingContext2D} Context */
/**
 * Where a stage lies on its canvas, in pixels; a cell is `cell` wide and `tall` high.
 * @typedef {{
 *   site: Site, font: string, rows: Label[], columns: Label[], left: number, top: number, cell: number,
 *   tall: number, ratio: number, width: number, height: number,
 * }} Laid
 */
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
/** @type {Record<string, Says>} */
const TELLS = {
  scores: { valueOf: scoreOf, always: true, silent: true },
  mask: { valueOf: scoreOf, always: true },
  masked: {
    valueOf: (app, at) =>
      app.seen.allowed(app.store.get().kind, ...headOf(app.store.get()))[at]
        ? scoreOf(app, at)
        : [app.words.cell_score, { score: "−∞" }],
    always: true,
  },
  weights: { valueOf: weightOf },
};
const [WIDEST, TALLEST, ROOM, SUMS] = [40, 24, 12, 70];

/** @param {Inspecting} app */
export function createStages(app) {
  const { model, words } = app;
  const cards = NAMES.map((name, index) => {
    const canvas = h("canvas", { "aria-hidden": "true", "data-testid": `hl-stage-${name}` });
    const surface = h("div", { class: "hl-stage-surface" }, canvas);
    const message = h("p", { class: "hl-stage-message" });
    const told = words[`stage_${name}_${model.meta.facts.bias}_note`] ?? words[`stage_${name}_note`];
    const note = h("p", { class: "hl-note" }, told);
    const low = h("span");
    const high = h("span");
    const ramp = h("span", { class: "hl-ramp", "aria-hidden": "true" });
    const scale = h("div", { class: "hl-scale", "data-testid": `hl-scale-${name}` }, low, ramp, high);
    const tip = createTip(app, "hl-stage-tip", TELLS[name]);
    surface.append(message, tip.element);
    const axes = axisNames(words);
    const picture = h("div", { class: "hl-stage-picture" }, ...axes, surface);
    const element = h(
      "section",
      { class: "hl-stage" },
      h("h3", { class: "hl-sub" }, h("span", { class: "hl-stage-number" }, String(index + 1)), words[`stage_${name}`]),
      note,
      picture,
      scale,
    );
    const shape = /** @type {Laid | null} */ (null);
    return { name, element, axes, canvas, surface, message, note, low, high, ramp, scale, tip, shape };
  });
  /** @typedef {typeof cards[number]} Card */
  cards.forEach((card) => {
    const clear = () => card.tip.render(app.store.get(), null, null);
    card.surface.onpointermove = (event) => point(card, cellAt(card, event));
    card.surface.onpointerleave = clear;
    card.surface.onclick = (event) => {
      const at = cellAt(card, event);
      if (at) app.pick(at);
    };
  });

  /**
   * @param {Card} card
   * @param {MouseEvent} event
   */
  function cellAt({ shape, canvas }, event) {
    if (!shape) return null;
    const box = canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - shape.left) / shape.cell);
    const row = Math.floor((event.clientY - box.top - shape.top) / shape.tall);
    return column >= 0 && row >= 0 && column < shape.site.columns && row < shape.site.rows ? [row, column] : null;
  }

  /**
   * @param {Card} card
   * @param {number[] | null} at
   */
  function point({ shape, tip }, at) {
    tip.render(
      app.store.get(),
      at,
      at &&
        shape && {
          x: shape.left + at[1] * shape.cell,
          y: shape.top + at[0] * shape.tall,
          width: shape.cell,
          height: shape.tall,
        },
    );
  }

  const [bitmaps, masks, axes] = [new Memo(12), new Memo(8), new Memo(6)];
  /** @type {Record<string, Drawn>} */
  let drawn = {};

  /**
   * @param {Kind} kind
   * @param {Context} context
   * @param {number} limit
   */
  function labels(kind, context, limit) {
    const font = `12px ${app.theme.font}`;
    return axes.get(`${kind}|${font}|${limit}`, () => ({
      font,
      rows: labelsOf(model.queries(kind), context, font, limit),
      columns: labelsOf(model.keys(kind), context, font, 80),
    }));
  }

  /**
   * @param {Kind} kind
   * @param {number} width
   * @param {number} height
   * @param {Context} context
   * @param {number} ratio
   * @returns {Laid}
   */
  function layout(kind, width, height, context, ratio) {
    const site = model.site(kind);
    const { font, rows, columns } = labels(kind, context, Math.floor(width * 0.27));
    const widest = (/** @type {Label[]} */ items) => items.reduce((most, label) => Math.max(most, label.width), 10);
    const left = Math.min(widest(rows) * 1.1, width * 0.3) + 8;
    const top = Math.min(slantRoom(widest(columns))[0] + 12, height * 0.3);
    const slanted = Math.max(SUMS, Math.min(slantRoom(widest(columns))[1], 40));
    const cell = snap(Math.min(WIDEST, (width - left - slanted - 2) / site.columns), ratio);
    const tall = snap(Math.min(TALLEST, (height - top - 3) / site.rows), ratio);
    return {
      site,
      font,
      rows,
      columns,
      left,
      top,
      cell,
      tall,
      ratio,
      width: cell * site.columns,
      height: tall * site.rows,
    };
  }

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
    const { context, ratio } = prepare(card.canvas, width, height);
    card.shape = null;
    const signedStage = card.name !== "weights";
    const problem = signedStage ? scoresProblem(app, state, head) : null;
    if (problem) {
      drawn[card.name] = { message: problem };
      return;
    }
    const shape = layout(state.kind, width, height, context, ratio);
    card.shape = shape;
    const live = app.stageRow(state) + 1;
    const values = /** @type {Float32Array} */ (signedStage ? head.scores : head.weights);
    const range = signedStage
      ? extent(values, card.name === "masked" ? model.allowed(state.kind, ...headOf(state)) : null)
      : [0, 1];
    cells(context, card.name, state, head, values, reach(range), shape, live);
    unwritten(context, shape, live);
    frame(context, state, shape, live);
    const printed = signedStage ? null : sums(context, head, shape, live);
    drawn[card.name] = {
      rows: live,
      columns: shape.site.columns,
      low: range[0],
      high: range[1],
      status: head.status,
      sums: printed,
      box: { x: shape.left, y: shape.top, width: shape.cell, height: shape.tall },
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
    for (const part of [card.scale, ...card.axes]) part.style.visibility = now.message ? "hidden" : "";
    if (now.message !== undefined || !card.shape) return;
    placeNames(card.axes, card.shape);
    scaleOf(card, state, [now.low, now.high]);
  }

  /** How far the colours of signed values go to either side of 0. */
  const reach = (/** @type {number[]} */ [low, high]) => Math.max(Math.abs(low), Math.abs(high)) || 1;

  const points = (/** @type {Laid} */ { site, width, height, ratio }) => [
    pixels(site.columns, width, ratio),
    pixels(site.rows, height, ratio),
  ];

  /**
   * Cells as a bitmap, kept for the heads seen last.
   * @param {string} name
   * @param {Chosen} state
   * @param {string} status
   * @param {Float32Array} values
   * @param {number} most
   * @param {Laid} shape
   */
  function picture(name, state, status, values, most, shape) {
    const { site } = shape;
    const [w, t] = points(shape);
    const weights = name === "weights";
    const scale = weights ? app.theme.scales[state.kind] : app.theme.diverging;
    return bitmaps.get(
      `${weights}|${state.kind}/${state.layer}/${state.head}|${status}|${most}|${w}x${t}|${app.theme.key}`,
      () => bitmap(pooled(values, site.rows, site.columns, t, w, !weights), t, w, scale, weights ? 0 : -most, most),
    );
  }

  /**
   * @param {Context} context
   * @param {string} name
   * @param {Chosen} state
   * @param {Head} head
   * @param {Float32Array} values
   * @param {number} most
   * @param {Laid} shape
   * @param {number} live
   */
  function cells(context, name, state, head, values, most, shape, live) {
    const { site, left, top, ratio } = shape;
    const [w, t] = points(shape);
    const bits = picture(name, state, head.status, values, most, shape);
    const mask =
      name === "scores"
        ? null
        : masks.get(
            `${name === "mask"}|${model.maskOf(state.kind, state.layer, state.head)}|${shape.width}x${shape.height}@${ratio}|${app.theme.key}`,
            () =>
              hatched(
                pooled(model.allowed(state.kind, ...headOf(state)), site.rows, site.columns, t, w),
                t,
                w,
                shape.width,
                shape.height,
                ratio,
                (target) => hatch(target, app.theme, "forbidden", ratio),
              ),
          );
    const share = live / site.rows;
    context.imageSmoothingEnabled = false;
    context.drawImage(bits, 0, 0, w, t * share, left, top, shape.width, shape.height * share);
    if (!mask) return;
    // The mask is first laid over the scores; in the masked scores nothing is left beneath it.
    if (name !== "mask") blank(context, state, shape, live);
    context.drawImage(mask, 0, 0, mask.width, mask.height * share, left, top, shape.width, shape.height * share);
  }

  /**
   * Rows that are not written yet keep their place.
   * @param {Context} context
   * @param {Laid} shape
   * @param {number} live
   */
  function unwritten(context, shape, live) {
    const { site, left, top, tall, ratio } = shape;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = hatch(context, app.theme, "unwritten", ratio);
    context.fillRect(left * ratio, (top + live * tall) * ratio, shape.width * ratio, (site.rows - live) * tall * ratio);
    context.restore();
  }

  /**
   * @param {Context} context
   * @param {Chosen} state
   * @param {Laid} shape
   * @param {number} live
   */
  function blank(context, state, shape, live) {
    const { site, left, top, cell, tall } = shape;
    const allowed = model.allowed(state.kind, ...headOf(state));
    context.fillStyle = app.theme.background;
    for (let row = 0; row < live; row += 1) {
      let from = -1;
      for (let column = 0; column <= site.columns; column += 1) {
        const shut = column < site.columns && !allowed[row * site.columns + column];
        if (shut && from < 0) from = column;
        if (!shut && from >= 0) {
          context.fillRect(left + from * cell, top + row * tall, (column - from) * cell, tall);
          from = -1;
        }
      }
    }
  }

  /**
   * @param {Context} context
   * @param {Chosen} state
   * @param {Laid} shape
   * @param {number} live
   */
  function frame(context, state, shape, live) {
    const { left, top, cell, tall, site } = shape;
    const { theme } = app;
    context.fillStyle = theme.background;
    if (cell >= 9)
      for (let c = 1; c < site.columns; c += 1) context.fillRect(left + c * cell - 0.5, top, 1, live * tall);
    if (tall >= 9) for (let r = 1; r < live; r += 1) context.fillRect(left, top + r * tall - 0.5, shape.width, 1);
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(left - 0.5, top - 0.5, shape.width + 1, shape.height + 1);
    markRow(context, left, top + (live - 1) * tall, shape.width, tall, theme.accent);
    const [row, every] = [live - 1, stride(tall, ROOM)];
    context.font = shape.font; // once: setting a font is dear
    context.save();
    context.beginPath();
    context.rect(0, 0, left - 3, top + shape.height + 10);
    context.clip();
    shape.rows.forEach((label, at) => {
      if (at !== row && (at % every || Math.abs(row - at) * tall < ROOM)) return;
      if (at === row) context.font = `600 ${shape.font}`;
      drawLabel(
        context,
        at === row ? sized(label, context) : label,
        left - 7,
        top + (at + 0.5) * tall,
        "right",
        at === row ? theme.text : at < live ? theme.muted : theme.quiet,
        theme,
        tall,
      );
      if (at === row) context.font = shape.font;
    });
    context.restore();
    shape.columns.forEach((label, at) => {
      if (cell < ROOM && at % stride(cell, 17)) return;
      drawColumnLabel(context, label, left + (at + 0.5) * cell, top, cell, theme.muted, theme);
    });
  }

  /**
   * What each row adds up to, beside it where there is room; returns [row, text].
   * @param {Context} context
   * @param {Head} head
   * @param {Laid} shape
   * @param {number} live
   */
  function sums(context, { weights, status }, shape, live) {
    const { site, left, top, tall } = shape;
    context.font = `11px ${app.theme.font}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    /** @type {[number, string][]} */
    const out = [];
    for (let row = 0; row < live; row += 1) {
      if (row !== live - 1 && (row % stride(tall, ROOM) || (live - 1 - row) * tall < ROOM)) continue;
      let sum = 0;
      for (let c = 0; c < site.columns; c += 1) sum += weights[row * site.columns + c];
      context.fillStyle = row === live - 1 ? app.theme.text : app.theme.muted;
      const shown = `Σ ${near(status, sum.toFixed(3))}`;
      context.fillText(shown, left + shape.width + 10, top + (row + 0.5) * tall);
      out.push([row, shown]);
    }
    return out;
  }

  /**
   * @param {Card} card
   * @param {Chosen} state
   * @param {number[]} range
   */
  function scaleOf(card, state, [low, high]) {
    const weights = card.name === "weights";
    const most = reach([low, high]);
    const table = weights ? app.theme.scales[state.kind] : app.theme.diverging;
    const at = (/** @type {number} */ value) =>
      Math.round(((value + (weights ? 0 : most)) / (weights ? 1 : 2 * most)) * 255);
    const stops = Array.from({ length: 9 }, (_, index) =>
      cssOf(table[Math.min(255, Math.max(0, at(low + ((high - low) * index) / 8)))]),
    );
    card.ramp.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    text(card.low, weights ? "0" : score(low));
    text(card.high, weights ? "1" : score(high));
  }

  return {
    elements: cards.map((card) => card.element),
    /** @param {Chosen} state */
    render(state) {
      if (model.kinds.length === 0) return;
      const head = app.current();
      drawn = {};
      cards.forEach((card) => draw(card, state, head));
      cards.forEach((card) => tell(card, state));
      const shut = model.forbids(state.kind, app.stageRow(state) + 1, ...headOf(state));
      text(cards[1].note, shut ? words.stage_mask_note : words.stage_mask_open);
    },
    drawn: () => drawn,
    /**
     * Makes the picture of a head that may be asked for next: of its weights, for its scores are not here.
     * @param {Chosen} state
     */
    ahead(state) {
      const { weights, status } = app.headAt(state.layer, state.head);
      const { name, shape } = cards[cards.length - 1];
      if (shape) picture(name, state, status, weights, 1, shape);
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
