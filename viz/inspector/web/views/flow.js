// @ts-check
// The row of the step, large, from raw scores to weights: one band a stage, aligned key by key.
// While the steps are played, a row is masked and normalised before one's eyes.
import { bars, cells, forbid, rules } from "./bands.js";
import { hasRoom, numbers } from "./flownumbers.js";
import { endOfScale, largest, prepare, reach } from "./paint.js";
import { h, place, text } from "./dom.js";
import { pickCell } from "../keys.js";
import { KeyAxis } from "./keyaxis.js";
import { headOf } from "../data/seen.js";
import { isForced, sinkOf, softmaxRow } from "../data/softmax.js";
import { format, near, score, weight } from "../data/text.js";
import { scoresProblem } from "./stages.js";
import { createTip } from "./tip.js";

/** @import { Chosen, Drawing, Inspecting } from "../types" */
/** @import { Row, Stage } from "./flownumbers.js" */

const ACROSS = { scores: 32, mask: 30, masked: 32, weights: 60 }; // pixels that a band is high
const STAGES = /** @type {(keyof typeof ACROSS)[]} */ (Object.keys(ACROSS));
const [GAP, NAMES, SUMS] = [6, 174, 74];
const [NARROW, LONG, HEADS, RANGE] = [560, 420, 66, 28]; // where keys go down: below, how far, room for names above
const SHARES = { scores: 1, mask: 0.62, masked: 1, weights: 1 }; // of the width there: 0 and −∞ take less than a score
const [SHARED, LEAST] = [3.62, 50]; // all of them; pixels in which the longest word of a name stays whole
const STAGE_MS = 450;

/** @param {Inspecting} app */
export function createFlow(app) {
  const { model, store, words } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-flow-canvas" });
  const measuring = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const tip = createTip(app, "hl-flow-tip", { valueOf: told, always: true });
  const titles = STAGES.map((name, index) => {
    const note = h("span", { class: "hl-flow-note" });
    const number = h("span", { class: "hl-stage-number", "aria-hidden": "true" }, String(index + 1));
    return { note, element: h("div", { class: "hl-flow-name" }, number, h("div", {}, words[`stage_${name}`], note)) };
  });
  const message = h("p", { class: "hl-stage-message" });
  const about = { class: "hl-flow-surface", "data-testid": "hl-flow" };
  const surface = h("div", about, canvas, ...titles.map((one) => one.element), message, tip.element);
  const element = h("div", { class: "hl-flow" }, surface);
  const axis = new KeyAxis(app);
  /** @type {Stage[]} */
  let stages = [];
  let began = 0; // when the row that is played began, 0 for none
  let frame = 0;
  let ranged = false; // said how far the scores go, for want of room for each
  let pointed = false; // here, and not in another view of the same cell
  /** @type {Record<string, any>} */
  let drawn = {};

  /**
   * Where everything lies; the surface is as high as that takes.
   * @param {Chosen} state
   * @param {number} width
   */
  function lay({ kind }, width) {
    const down = width < NARROW;
    const [from, room] = down ? [HEADS, LONG] : [NAMES, width - NAMES - SUMS];
    const gaps = STAGES.length * GAP;
    axis.lay(kind, measuring, { from, room, down, most: width - gaps - SHARED * LEAST });
    const share = (width - axis.beside - gaps) / SHARED;
    let at = axis.beside;
    stages = STAGES.map((name) => {
      const stage = { name, at, size: down ? Math.floor(share * SHARES[name]) : ACROSS[name] };
      at += stage.size + GAP;
      return stage;
    });
    ranged = down && !hasRoom(axis, stages[0]);
    if (ranged) axis.start += RANGE;
    titles.forEach(({ element }, index) => {
      const stage = stages[index];
      const box = down ? [stage.at, 0, stage.size + GAP - 2, axis.start - 4] : [0, stage.at, NAMES - 10, stage.size];
      place(element, box);
    });
    element.classList.toggle("hl-flow-down", down);
    const high = down ? axis.start + axis.size + 26 : at - GAP + 2;
    surface.style.height = `${high}px`;
    return high;
  }

  /** @param {Chosen} state */
  function render(state) {
    const [width] = app.sizes.of(surface);
    if (width === 0) return;
    const context = prepare(canvas, width, lay(state, width));
    const head = app.current();
    const at = app.stageRow(state);
    const { columns } = model.site(state.kind);
    const problem = scoresProblem(app, state, head);
    const from = at * columns;
    const scores = problem === null && head.scores ? head.scores.subarray(from, from + columns) : null;
    const weights = head.weights.subarray(from, from + columns);
    /** @type {Row} */
    const row = {
      scores,
      status: head.status,
      most: scores ? reach(scores) : 1,
      hue: app.theme.hues[state.kind],
      allowed: model.allowed(state.kind, ...headOf(state)).subarray(from, from + columns),
      forced: isForced(model.site(state.kind), state, at),
      open: model.drawn(state.kind, headOf(state), head.weights, head.status).subarray(from, from + columns),
      weights,
      whole: Math.max(1, largest(weights)),
      hovered: state.hover && (pointed || state.hover[0] === at) ? state.hover[1] : -1,
      pinned: state.pinned?.[0] === at ? state.pinned[1] : -1,
    };
    axis.names(context, axis.beside, (column) => row.allowed[column] === 1, row.hovered);
    const printed = stages.flatMap((stage, index) =>
      scores || stage.name === "weights" ? draw(context, stage, row, amount(index)) : [],
    );
    const sum = totals(context, row);
    outline(context, row);
    say(problem, row);
    tip.render(
      state,
      pointed && row.hovered >= 0 ? [at, row.hovered] : null,
      boxOf(stages[3], Math.max(0, row.hovered)),
    );
    drawn = {
      row: at,
      columns,
      down: axis.down,
      message: problem,
      printed,
      sum,
      acting: began > 0,
      boxes: Object.fromEntries(stages.map((stage) => [stage.name, boxOf(stage, 0)])),
    };
  }

  /** How far a stage is: 0 not begun, 1 done. */
  function amount(/** @type {number} */ index) {
    return began ? Math.min(1, Math.max(0, (performance.now() - began) / STAGE_MS - index)) : 1;
  }

  /**
   * @param {Stage} stage
   * @param {number} column
   */
  function boxOf({ at, size }, column) {
    const [x, y, width, height] = axis.box(column, at, size);
    return { x, y, width, height };
  }

  /**
   * One stage, as far as it is; gives what stands in it, [stage, column, text]. Scores and weights
   * come all at once, what the mask does comes key by key.
   * @param {Drawing} context
   * @param {Stage} stage
   * @param {Row} row
   * @param {number} done
   */
  function draw(context, stage, row, done) {
    context.save();
    context.beginPath();
    context.rect(...axis.box(0, stage.at, stage.size, axis.length * (stage.name === "weights" ? 1 : done)));
    context.clip();
    if (stage.name === "weights") bars(context, axis, stage, row.weights, row.whole, row.hue, 1 - (1 - done) ** 3);
    else if (stage.name !== "mask" && row.scores) {
      const shade = { table: app.theme.diverging, low: -row.most, high: row.most };
      cells(context, axis, stage, row.scores, shade);
    }
    if (stage.name !== "scores") forbid(context, axis, stage, stage.name === "weights" ? row.open : row.allowed);
    const printed = numbers(context, axis, stage, row, done);
    context.restore();
    rules(context, axis, stage);
    return printed;
  }

  /**
   * What the weights add up to.
   * @param {Drawing} context
   * @param {Row} row
   */
  function totals(context, { weights, status }) {
    const sum = `Σ ${near(status, weights.reduce((all, value) => all + value, 0).toFixed(3))}`;
    if (amount(3) < 1) return sum;
    const [x, y, width, height] = axis.box(0, stages[3].at, stages[3].size, axis.length);
    context.font = `12px ${app.theme.font}`;
    context.fillStyle = app.theme.muted;
    context.textAlign = axis.down ? "center" : "left";
    context.textBaseline = "middle";
    context.fillText(sum, axis.down ? x + width / 2 : x + width + 10, axis.down ? y + height + 13 : y + height / 2);
    return sum;
  }

  /**
   * The pinned key and the one that is pointed at, in every stage.
   * @param {Drawing} context
   * @param {Row} row
   */
  function outline(context, { pinned, hovered }) {
    context.strokeStyle = app.theme.text;
    for (const [column, wide] of [
      [pinned, 2],
      [hovered, 1],
    ]) {
      context.lineWidth = wide;
      if (column >= 0) for (const { at, size } of stages) context.strokeRect(...axis.box(column, at, size));
    }
  }

  /** @type {(problem: string | null, row: Row) => void} */
  function say(problem, { scores, allowed, forced, weights, whole }) {
    text(message, problem ?? "");
    message.style.top = `${axis.down ? axis.start : axis.beside}px`;
    const how = forced ? "_forced" : model.site(store.get().kind).sink ? "_sink" : "";
    const range = (/** @type {Float32Array | number[]} */ of) =>
      of.length ? `${score(Math.min(...of))} … ${score(Math.max(...of))}` : "";
    const [all, open] = [[...(scores ?? [])], [...(scores ?? [])].filter((_, column) => allowed[column])];
    const beyond = endOfScale(weights) !== "1";
    const bars = beyond ? format(words.flow_whole, { weight: weight(whole) }) : "";
    const notes = axis.down
      ? [range(all), "", range(open), bars]
      : [
          range(all),
          words.flow_mask,
          words.flow_masked,
          [words[`flow_weights${how}`], bars].filter(Boolean).join("\n"),
        ];
    titles.forEach(({ note }, index) => {
      text(note, notes[index]);
      note.hidden = axis.down && !(ranged && notes[index]);
    });
  }

  /**
   * From score to weight in one line.
   * @param {import("../types").App} _app
   * @param {number} cell
   * @returns {import("./tip.js").Line}
   */
  function told(_app, cell) {
    const state = store.get();
    const head = app.current();
    const site = model.site(state.kind);
    const { columns } = site;
    const row = Math.floor(cell / columns);
    const put = near(head.status, weight(head.weights[cell]));
    if (!head.scores) return [words.cell_weight, { weight: put }];
    if (isForced(site, state, row)) return [words.cell_forced, { score: score(head.scores[cell]), weight: put }];
    const lost = sinkOf(site.sink, head.weights, row, columns);
    const { of, sum } = softmaxRow(head.scores, model.allowed(state.kind, ...headOf(state)), row, columns, lost);
    return [
      words.cell_chain,
      { score: score(head.scores[cell]), exp: weight(of[cell % columns].exp), sum: weight(sum), weight: put },
    ];
  }

  /** @param {MouseEvent} event */
  function cellAt(event) {
    const box = canvas.getBoundingClientRect();
    const column = axis.at(axis.down ? event.clientY - box.top : event.clientX - box.left);
    return column === null ? null : [app.stageRow(store.get()), column];
  }
  surface.onpointermove = (event) => {
    const hover = cellAt(event);
    pointed = hover !== null;
    store.set({ hover, pointed: true });
  };
  surface.onpointerleave = () => {
    pointed = false;
    store.set({ hover: null });
  };
  surface.onclick = (event) => {
    const at = cellAt(event);
    if (at) pickCell(app, at);
  };

  function tick() {
    if (performance.now() - began > STAGES.length * STAGE_MS || !element.isConnected) rest();
    else {
      frame = requestAnimationFrame(tick);
      render(store.get());
    }
  }

  /** All of it at once, as when nothing is played. */
  function rest() {
    cancelAnimationFrame(frame);
    if (!began) return;
    began = 0;
    app.root.classList.remove("hl-acting");
    render(store.get());
  }

  return {
    element,
    render,
    rest,
    /** Plays the row of the step, where motion is wanted. */
    act() {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches || app.sizes.of(surface)[0] === 0) return;
      began = performance.now();
      app.root.classList.add("hl-acting");
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(tick);
    },
    pointed: () => pointed,
    drawn: () => drawn,
  };
}

/** Milliseconds from raw scores to weights, and as long again to look at them. */
export const ROW_MS = 2 * STAGES.length * STAGE_MS;
