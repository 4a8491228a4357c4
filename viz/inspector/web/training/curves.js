// @ts-check
// Loss and learning rate over the steps, as SVG: pointed at by mouse, finger or arrow keys, and
// the same numbers as a table behind.
import { attribute, h } from "../views/dom.js";
import { createHiddenTable } from "../views/hiddentable.js";
import { format } from "../data/text.js";
import { known, line, svg } from "../film/svg.js";
import { brief, rate as rated, short, ticks, whole } from "./numbers.js";

/** @import { Point, Watching } from "./types" */
/** @import { Story } from "./story.js" */
/** @typedef {(value: number) => number} Scale */
/**
 * Where everything lies, and the curves.
 * @typedef {{
 *   steps: number, width: number, x: Scale, y: Scale, z: Scale, train: Point[], valid: Point[], rates: Point[],
 * }} Shape
 */

const [LEFT, RIGHT, TOP, TALL, GAP, LOW, FOOT] = [52, 14, 10, 168, 24, 40, 22];
const HEIGHT = TOP + TALL + GAP + LOW + FOOT;
const ROWS = 40;

/**
 * Value of a curve [[step, value]] at the point nearest to a step, or null.
 * @param {Point[]} points
 * @param {number} step
 */
function nearest(points, step) {
  /** @type {Point | null} */
  let best = null;
  for (const point of points) {
    if (best === null || Math.abs(point[0] - step) < Math.abs(best[0] - step)) best = point;
  }
  return best;
}

/** @param {Watching} app */
export function createCurves(app) {
  const { words, language } = app;
  const picture = svg("svg", { class: "tr-svg", "aria-hidden": "true", height: HEIGHT });
  const surface = h(
    "div",
    {
      class: "tr-plot",
      tabindex: "0",
      role: "slider",
      "aria-label": words.curves,
      "aria-valuemin": "0",
      "data-testid": "tr-plot",
    },
    picture,
  );
  const tip = h("div", { class: "tr-tip", "aria-hidden": "true", hidden: true });
  const table = createHiddenTable("tr-table");
  const legend = h(
    "p",
    { class: "tr-legend hl-note" },
    h("span", { class: "tr-key tr-key-train" }, words.train),
    h("span", { class: "tr-key tr-key-valid" }, words.valid),
  );
  const note = h("p", { class: "hl-note", "data-testid": "tr-loss-note" }, words.loss_note);
  surface.append(tip);
  const element = h(
    "section",
    { class: "tr-curves" },
    h("div", { class: "tr-curves-head" }, h("h3", { class: "hl-sub" }, words.loss_title), legend),
    surface,
    note,
    table.element,
  );
  /** @type {Shape | null} */
  let shape = null;
  /** @type {number | null} */
  let cursor = null; // the step that is pointed at
  /** @type {{ story: Story, chosen: number | null } | null} */
  let last = null; // what was drawn

  /**
   * @param {Story} story
   * @param {number | null} chosen
   */
  function draw(story, chosen) {
    last = { story, chosen };
    const [width] = app.sizes.of(surface);
    if (width === 0) return;
    const steps = Math.max(story.started?.steps ?? 0, story.step, 1);
    const curves = { train: story.trainLosses, valid: story.validLosses, rates: story.rates };
    const losses = known([...curves.train, ...curves.valid]).map(([, value]) => value);
    const high = Math.max(...losses, 0) * 1.04 || 1;
    const rate = Math.max(...curves.rates.map(([, value]) => value ?? 0), 0) * 1.08 || 1;
    const x = (/** @type {number} */ step) => LEFT + ((width - LEFT - RIGHT) * step) / steps;
    const y = (/** @type {number} */ loss) => TOP + TALL * (1 - loss / high);
    const z = (/** @type {number} */ value) => TOP + TALL + GAP + LOW * (1 - value / rate);
    const laid = { steps, x, y, z, width, ...curves };
    shape = laid;
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.replaceChildren(
      ...axes(laid, high, rate),
      ...marks(laid, story, chosen),
      ...lines(laid, story),
      ...pointed(laid),
      ...named(laid),
    );
    attribute(surface, "aria-valuemax", steps);
    attribute(surface, "aria-valuenow", cursor ?? story.step);
    attribute(surface, "aria-valuetext", spoken(laid, cursor ?? story.step));
    note.hidden = curves.train.length === 0;
    tell(laid);
    fill(laid);
  }

  /**
   * @param {Shape} shape
   * @param {number} high
   * @param {number} rate
   */
  function axes({ x, y, z, steps, width, train, valid }, high, rate) {
    /** @type {SVGElement[]} */
    const out = [];
    if (!train.length && !valid.length) return out; // no scale before there is a number
    for (const value of ticks(high, 4)) {
      out.push(
        svg("line", { class: "tr-rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        svg(
          "text",
          { class: "tr-tick", x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" },
          String(Number(value.toPrecision(3))),
        ),
      );
    }
    const foot = TOP + TALL + GAP + LOW;
    for (const step of ticks(steps, width > 420 ? 5 : 3)) {
      out.push(
        svg("line", { class: "tr-rule tr-rule-step", x1: x(step), x2: x(step), y1: TOP, y2: foot }),
        svg("text", { class: "tr-tick", x: x(step), y: foot + 15, "text-anchor": "middle" }, brief(step)),
      );
    }
    out.push(
      svg("line", { class: "tr-rule", x1: LEFT, x2: width - RIGHT, y1: foot, y2: foot }),
      svg("text", { class: "tr-tick", x: LEFT - 7, y: z(rate / 1.08) + 4, "text-anchor": "end" }, rated(rate / 1.08)),
    );
    return out;
  }

  /**
   * The name of the lower curve, over all that runs through both.
   * @param {Shape} shape
   */
  function named({ train, valid }) {
    if (!train.length && !valid.length) return [];
    return [svg("text", { class: "tr-tick tr-name", x: LEFT, y: TOP + TALL + GAP - 5 }, words.rate_title)];
  }

  /**
   * Where whole models are kept: small marks, the chosen one in amber through all curves.
   * @param {Shape} shape
   * @param {Story} story
   * @param {number | null} chosen
   */
  function marks({ x }, story, chosen) {
    const foot = TOP + TALL + GAP + LOW;
    /** @type {SVGElement[]} */
    const out = story.milestones.map((step) =>
      svg("path", { class: "tr-milestone", d: `M${x(step)},${foot + 1}l3,5h-6z` }),
    );
    if (chosen !== null) {
      out.push(
        svg("line", { class: "tr-chosen", x1: x(chosen), x2: x(chosen), y1: TOP, y2: foot }),
        svg("path", { class: "tr-chosen-mark", d: `M${x(chosen)},${foot}l4.5,7h-9z` }),
      );
    }
    return out;
  }

  /**
   * @param {Shape} shape
   * @param {Story} story
   */
  function lines({ x, y, z, train, valid, rates }, { best: lowest }) {
    const measured = known(valid);
    const dots = measured.map(([step, value]) =>
      svg("circle", { class: "tr-dot-valid", cx: x(step), cy: y(value), r: 2.6 }),
    );
    const best = lowest && measured.find(([step]) => step === lowest.step);
    return [
      svg("path", { class: "tr-line tr-line-rate", d: line(rates, x, z) }),
      svg("path", { class: "tr-line tr-line-train", d: line(train, x, y) }),
      svg("path", { class: "tr-line tr-line-valid", d: line(valid, x, y) }),
      ...dots,
      ...(best ? [svg("circle", { class: "tr-best", cx: x(best[0]), cy: y(best[1]), r: 6 })] : []),
    ];
  }

  /** @param {Shape} shape */
  function pointed({ x }) {
    if (cursor === null) return [];
    return [svg("line", { class: "tr-cursor", x1: x(cursor), x2: x(cursor), y1: TOP, y2: TOP + TALL + GAP + LOW })];
  }

  /**
   * [name, value] of each curve; what was measured at another step says at which.
   * @param {Shape} shape
   * @param {number} step
   */
  const facts = ({ train, valid, rates }, step) =>
    [
      { name: words.train, points: train, spell: short },
      { name: words.valid, points: valid, spell: short },
      { name: words.rate_title, points: rates, spell: rated },
    ].flatMap(({ name, points, spell }) => {
      const [own, value] = nearest(points, step) ?? [step, null];
      if (value === null) return [];
      return [
        [own === step ? name : `${name} (${format(words.step_name, { step: whole(own, language) })})`, spell(value)],
      ];
    });

  /**
   * @param {Shape} shape
   * @param {number} step
   */
  function spoken(shape, step) {
    const all = [
      format(words.step_name, { step: whole(step, language) }),
      ...facts(shape, step).map(([name, value]) => `${name} ${value}`),
    ];
    return all.join(", ");
  }

  /** @param {Shape} shape */
  function tell(shape) {
    tip.hidden = cursor === null;
    if (cursor === null) return;
    tip.replaceChildren(
      h("strong", {}, format(words.step_name, { step: whole(cursor, language) })),
      ...facts(shape, cursor).map(([name, value]) => h("div", {}, name, h("span", {}, value))),
    );
    const wide = tip.offsetWidth;
    const [before, after] = [shape.x(cursor) - wide - 12, shape.x(cursor) + 12];
    tip.style.transform = `translate(${Math.round(after + wide > shape.width ? before : after)}px, ${TOP}px)`;
  }

  /** @param {Shape} shape */
  function fill({ train, valid }) {
    const steps = [...new Set([...train, ...valid].map(([step]) => step))].sort((a, b) => a - b);
    const every = Math.max(1, Math.ceil(steps.length / ROWS));
    const at = (/** @type {Point[]} */ points, /** @type {number} */ step) =>
      short(points.find(([own]) => own === step)?.[1]);
    const rows = steps
      .filter((_, index) => index % every === 0 || index === steps.length - 1)
      .map((step) => [String(step), at(train, step), at(valid, step)]);
    table.fill(words.loss_title, [words.axis_steps, words.train, words.valid], rows);
  }

  /** @param {number | null} step */
  function move(step) {
    cursor = step;
    if (last) draw(last.story, last.chosen);
  }

  /**
   * The step under a pointer, at a point of a curve.
   * @param {Shape} shape
   * @param {MouseEvent} event
   */
  function under({ train, valid, width, steps }, event) {
    const at = ((event.clientX - picture.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT)) * steps;
    return nearest([...train, ...valid], at)?.[0] ?? null;
  }

  surface.onpointermove = (event) => shape && move(under(shape, event));
  surface.onpointerleave = () => move(null);
  surface.onblur = () => move(null);
  surface.onclick = (event) => {
    const step = shape && under(shape, event);
    if (step !== null) app.pick(step);
  };
  surface.onkeydown = (event) => {
    if (!shape) return;
    const steps = [...new Set([...shape.train, ...shape.valid].map(([step]) => step))].sort((a, b) => a - b);
    if (!steps.length) return;
    const from = cursor;
    const now = from === null ? steps.length - 1 : steps.findIndex((step) => step >= from);
    /** @type {Record<string, number | undefined>} */
    const keys = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      Home: 0,
      End: steps.length - 1,
      PageUp: now - 10,
      PageDown: now + 10,
    };
    const to = keys[event.key];
    if (event.key === "Enter" && cursor !== null) app.pick(cursor);
    else if (event.key === "Escape") move(null);
    else if (to !== undefined) move(steps[Math.min(Math.max(to, 0), steps.length - 1)]);
    else return;
    event.preventDefault();
  };

  return {
    element,
    draw,
    redraw: () => last && draw(last.story, last.chosen),
    drawn: () => ({
      train: shape?.train.length ?? 0,
      valid: shape?.valid.length ?? 0,
      cursor,
      table: table.element.rows.length,
    }),
  };
}
