// Small curves over the training: what the chosen head did at each milestone, above the faint
// curves of all others of its kind, and how the whole model fared. Across lie the milestones,
// evenly: about the logarithm of the step.
import { attribute, h, text } from "../views/dom.js";
import { chosenAlong } from "../views/drag.js";
import { visible, wholePercent } from "../data/text.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDE, HIGH] = [100, 40]; // of the drawing, whatever its size on the screen
const PARTS = 3; // validation parts that have curves; the table has all

const drawing = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
};

const bits = (value) => value.toFixed(2);

/** How a trait of a head is printed; a share of the weight unless it says otherwise. */
const PRINT = { entropy: bits, distance: bits };

/**
 * Curves of the chosen head and of the model: {name, title, print, most, values: one a
 * milestone} or, for what was reported at steps of its own, {..., points: [[step, value]]}.
 */
export function chartsOf(app, { kind, layer, head, pinned }) {
  const { reel, words } = app;
  const { columns } = app.model.sites.get(kind);
  const own = app.model.traitsOf(kind).map((name) => ({
    name,
    trait: true,
    title: words[`curve_${name}_${kind}`] ?? words[`curve_${name}`],
    print: PRINT[name] ?? wholePercent,
    most: { entropy: Math.log2(Math.max(columns, 2)), distance: 0 }[name] ?? 1,
    values: reel.trait(kind, name, layer, head),
  }));
  const cell = pinned && {
    name: "pinned",
    title: words.curve_pinned,
    print: (value) => `≈\u00a0${value.toFixed(3)}`,
    most: 1,
    values: reel.weightsAt(kind, layer, head, pinned[0] * columns + pinned[1]),
  };
  return [...(cell ? [cell] : []), ...own, ...modelCharts(app)];
}

function modelCharts({ reel, words }) {
  const loss = { name: "loss", model: true, title: words.curve_loss, print: bits, most: 0, values: reel.losses };
  const parts = Object.entries(reel.meta.validation).slice(0, PARTS);
  const named = (title, name) => (parts.length > 1 ? `${title} · ${visible(name)}` : title);
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

export function createCurves(app) {
  const { reel, words } = app;
  const last = reel.count - 1;
  const headTitle = h("h3", { class: "hl-sub" }, words.curves_head);
  const ofHead = h("div", { class: "hl-curves" });
  const ofModel = h("div", { class: "hl-curves" });
  const element = h(
    "section",
    { class: "hl-right", "data-testid": "hl-curves" },
    headTitle,
    ofHead,
    h("p", { class: "hl-note" }, words.curves_note),
    h("h3", { class: "hl-sub" }, words.curves_model),
    ofModel,
  );
  let charts = [];
  let drawn = "";

  const x = (place) => (last > 0 ? (place / last) * WIDE : WIDE / 2);
  const y = (value, most) => HIGH - (Math.min(value, most) / most) * (HIGH - 2) - 1;

  function line(points, most) {
    return points
      .filter(([, value]) => value !== null)
      .map(([place, value], at) => `${at ? "L" : "M"}${x(place).toFixed(2)} ${y(value, most).toFixed(2)}`)
      .join("");
  }
  const placed = ({ values, points }) =>
    values ? values.map((value, index) => [index, value]) : points.map(([step, value]) => [reel.place(step), value]);

  /** The curves of the other heads of this kind, as one faint path. */
  function others(chart, kind, layer, head, most) {
    if (!chart.trait) return "";
    const { layers, heads } = app.model.sites.get(kind);
    let path = "";
    for (let l = 0; l < layers; l += 1) {
      for (let n = 0; n < heads; n += 1) {
        if (l !== layer || n !== head)
          path += line(
            reel.trait(kind, chart.name, l, n).map((value, index) => [index, value]),
            most,
          );
      }
    }
    return path;
  }

  /** The end of the axis: what is given, or the largest of all curves in the picture. */
  function largestOf(chart, kind) {
    if (chart.most) return chart.most;
    const { layers, heads } = app.model.sites.get(kind);
    const all = placed(chart).map(([, value]) => value ?? 0);
    if (chart.trait)
      for (let l = 0; l < layers; l += 1)
        for (let n = 0; n < heads; n += 1) all.push(...reel.trait(kind, chart.name, l, n));
    return Math.max(...all) || 1;
  }

  function build(chart, { kind, layer, head }) {
    const most = largestOf(chart, kind);
    const svg = drawing("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    svg.append(
      drawing("path", { class: "hl-faint-line", d: others(chart, kind, layer, head, most) }),
      drawing("path", { class: "hl-own-line", d: line(placed(chart), most) }),
    );
    const [now, then] = [h("i", { class: "hl-at" }), h("i", { class: "hl-at hl-then" })];
    const dot = h("i", { class: "hl-dot" });
    const value = h("b", {});
    const plot = h("div", { class: "hl-plot" }, svg, then, now, dot);
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
    );
    chosenAlong(plot, (event) => scrub(plot, event));
    return { ...chart, most, box, now, then, dot, value };
  }

  function scrub(plot, event) {
    const { left, width } = plot.getBoundingClientRect();
    app.player.go(Math.round(((event.clientX - left) / width) * last));
  }

  function mark(chart, { milestone, compare, view }) {
    const { points, values, most } = chart;
    const point = values ? [milestone, values[milestone]] : reel.reported(points, milestone);
    const value = point?.[1] ?? null;
    const place = values ? milestone : point && reel.place(point[0]);
    chart.now.style.left = `${x(milestone)}%`;
    chart.then.style.left = `${x(compare)}%`;
    chart.then.hidden = view !== "difference";
    chart.dot.hidden = value === null;
    if (value !== null) {
      chart.dot.style.left = `${x(place)}%`;
      chart.dot.style.top = `${(y(value, most) / HIGH) * 100}%`;
    }
    text(chart.value, value === null ? "–" : chart.print(value));
    attribute(chart.value, "title", values || value === null ? "" : app.number(point[0]));
    return [chart.name, chart.value.textContent];
  }

  let shown = [];
  return {
    element,
    render(state) {
      const key = JSON.stringify([state.kind, state.layer, state.head, state.pinned]);
      if (key !== drawn) {
        charts = chartsOf(app, state).map((chart) => build(chart, state));
        ofHead.replaceChildren(...charts.filter(({ model }) => !model).map(({ box }) => box));
        ofModel.replaceChildren(...charts.filter(({ model }) => model).map(({ box }) => box));
        const rows = Math.ceil(ofHead.childElementCount / 2) + Math.ceil(ofModel.childElementCount / 2);
        element.style.setProperty("--hl-rows", rows);
        drawn = key;
      }
      shown = charts.map((chart) => mark(chart, state));
    },
    drawn: () => Object.fromEntries(shown),
  };
}
