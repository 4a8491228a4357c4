// @ts-check
// Small curves over the training: what the chosen head did at each milestone, above the faint
// curves of all others of its kind, and how the whole model fared. Across lie the milestones,
// evenly: about the logarithm of the step.
import { h, text } from "../views/dom.js";
import { chosenAlong } from "../views/drag.js";
import { format, visible, wholePercent } from "../data/text.js";
import { line, svg } from "./svg.js";

/** @import { Chart, FilmState, Settled } from "./types" */
/** @import { Film } from "./film.js" */

const [WIDE, HIGH] = [100, 40]; // of the drawing, whatever its size on the screen
const PARTS = 3; // validation parts that have curves; the table has all

/** @type {(values: (number | null)[]) => [number, number | null][]} */
const indexed = (values) => values.map((value, index) => [index, value]);

const bits = (/** @type {number} */ value) => value.toFixed(2);

/**
 * How a trait of a head is printed; a share of the weight unless it says otherwise.
 * @type {Record<string, (value: number) => string>}
 */
const PRINT = { entropy: bits, distance: bits };

/**
 * Curves of the chosen head and of the model: {name, title, print, most, values: one a
 * milestone} or, for what was reported at steps of its own, {..., points: [[step, value]]}.
 * @param {Film} app
 * @param {FilmState} state
 * @returns {Chart[]}
 */
export function chartsOf(app, { kind, layer, head, pinned }) {
  const { reel, words } = app;
  const { columns } = app.model.site(kind);
  /** @type {Record<string, number>} */
  const most = { entropy: Math.log2(Math.max(columns, 2)), distance: 0 };
  const own = app.model.traitsOf(kind).map((name) => ({
    name,
    trait: true,
    title: words[`curve_${name}_${kind}`] ?? words[`curve_${name}`] ?? words[`trait_${name}`],
    print: PRINT[name] ?? wholePercent,
    most: most[name] ?? 1,
    values: reel.trait(kind, name, layer, head),
  }));
  const cell = pinned && {
    name: "pinned",
    title: words.curve_pinned,
    print: (/** @type {number} */ value) => `≈\u00a0${value.toFixed(3)}`,
    most: 1,
    values: reel.weightsAt(kind, layer, head, pinned[0] * columns + pinned[1]),
  };
  return [...(cell ? [cell] : []), ...own, ...modelCharts(app)];
}

/**
 * @param {Film} app
 * @returns {Chart[]}
 */
function modelCharts({ reel, words }) {
  /** @type {Chart} */
  const loss = { name: "loss", model: true, title: words.curve_loss, print: bits, most: 0, values: reel.losses };
  const parts = Object.entries(reel.meta.validation).slice(0, PARTS);
  const named = (/** @type {string} */ title, /** @type {string} */ name) =>
    parts.length > 1 ? `${title} · ${visible(name)}` : title;
  return [
    ...(reel.losses.some((value) => value !== null) ? [loss] : []),
    ...parts.flatMap(([name, { loss: losses, exact }]) => [
      {
        name: `valid-${name}`,
        model: true,
        title: named(words.curve_valid, name),
        print: bits,
        most: 0,
        points: losses,
      },
      {
        name: `exact-${name}`,
        model: true,
        title: named(words.curve_exact, name),
        print: wholePercent,
        most: 1,
        points: exact,
      },
    ]),
  ].filter(({ points }) => points === undefined || points.length > 0);
}

/** @param {Film} app */
export function createCurves(app) {
  const { reel, words } = app;
  const last = reel.count - 1;
  const ofHead = h("div", { class: "hl-curves" });
  const ofModel = h("div", { class: "hl-curves" });
  const element = h(
    "section",
    { class: "hl-right", "data-testid": "hl-curves" },
    h("h3", { class: "hl-sub" }, words.curves_head),
    ofHead,
    h("p", { class: "hl-note" }, words.curves_note),
    h("h3", { class: "hl-sub" }, words.curves_model),
    ofModel,
  );
  /** @type {ReturnType<typeof build>[]} */
  let charts = [];
  let drawn = "";

  const x = (/** @type {number} */ place) => (last > 0 ? (place / last) * WIDE : WIDE / 2);

  /**
   * @param {Chart} chart
   * @returns {[number, number | null][]}
   */
  const placed = ({ values, points }) =>
    values ? indexed(values) : points.map(([step, value]) => [reel.place(step), value]);

  /**
   * The curves of the other heads of this kind.
   * @param {Chart} chart
   * @param {Settled} state
   */
  function othersOf({ name, trait }, { kind, layer, head }) {
    if (!trait) return [];
    const { layers, heads } = app.model.site(kind);
    const all = Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]);
    const others = all.filter(([l, n]) => l !== layer || n !== head);
    return others.map(([l, n]) => reel.trait(kind, name, l, n));
  }

  /**
   * @param {Chart} chart
   * @param {Settled} state
   */
  function build(chart, state) {
    const others = othersOf(chart, state);
    const own = placed(chart);
    const most = chart.most || Math.max(...own.map(([, value]) => value ?? 0), ...others.flat()) || 1;
    const y = (/** @type {number} */ value) => HIGH - (Math.min(value, most) / most) * (HIGH - 2) - 1;
    const lines = svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", { class: "hl-faint-line", d: others.map((values) => line(indexed(values), x, y)).join("") }),
      svg("path", { class: "hl-own-line", d: line(own, x, y) }),
    );
    const [now, then] = [h("i", { class: "hl-at" }), h("i", { class: "hl-at hl-then" })];
    const dot = h("i", { class: "hl-dot" });
    const value = h("b", {});
    const when = chart.points ? h("small", {}) : null; // under what the run reports at steps of its own
    const plot = h("div", { class: "hl-plot" }, lines, then, now, dot);
    const axis = h(
      "div",
      { class: "hl-y", "aria-hidden": "true" },
      h("span", {}, chart.print(most).replace("≈\u00a0", "")),
      h("span", {}, "0"),
    );
    const box = h(
      "figure",
      { class: "hl-curve", "data-name": chart.name, "data-model": chart.model },
      h("figcaption", {}, h("span", { title: chart.title }, chart.title), value),
      axis,
      plot,
      when,
    );
    chosenAlong(plot, ({ clientX }) => {
      const { left, width } = plot.getBoundingClientRect();
      app.player.go(Math.round(((clientX - left) / width) * last));
    });
    return { ...chart, y, box, now, then, dot, value, when };
  }

  /**
   * @param {ReturnType<typeof build>} chart
   * @param {Settled} state
   */
  function mark(chart, { milestone, compare, view }) {
    const { points, values } = chart;
    const point = values ? null : reel.reported(points, milestone);
    const value = values ? values[milestone] : (point?.[1] ?? null);
    chart.now.style.left = `${x(milestone)}%`;
    chart.then.style.left = `${x(compare)}%`;
    chart.then.hidden = view !== "difference";
    chart.dot.hidden = value === null;
    if (value !== null) {
      chart.dot.style.left = `${x(point ? reel.place(point[0]) : milestone)}%`;
      chart.dot.style.top = `${(chart.y(value) / HIGH) * 100}%`;
    }
    const shown = value === null ? "–" : chart.print(value);
    text(chart.value, shown);
    if (!chart.when) return [chart.name, shown];
    const earlier = point && point[0] !== reel.steps[milestone];
    const after = earlier ? format(words.validated_at, { scores: "", step: app.number(point[0]) }).trim() : "";
    text(chart.when, after);
    return [chart.name, `${shown} ${after}`.trim()];
  }

  /** @type {ReturnType<typeof mark>[]} */
  let shown = [];
  return {
    element,
    /** @param {FilmState} state */
    render(state) {
      const key = JSON.stringify([state.kind, state.layer, state.head, state.pinned]);
      if (key !== drawn) {
        charts = chartsOf(app, state).map((chart) => build(chart, state));
        ofHead.replaceChildren(...charts.filter(({ model }) => !model).map(({ box }) => box));
        ofModel.replaceChildren(...charts.filter(({ model }) => model).map(({ box }) => box));
        const [heads, models] = [ofHead, ofModel].map((all) => Math.ceil(all.childElementCount / 2));
        element.style.setProperty("--hl-rows", String(heads + models));
        element.style.setProperty("--hl-whens", String(models));
        drawn = key;
      }
      shown = charts.map((chart) => mark(chart, state));
    },
    drawn: () => Object.fromEntries(shown),
  };
}
