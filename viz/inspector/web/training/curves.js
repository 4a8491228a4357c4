// Loss and learning rate over the steps, as SVG: pointed at by mouse, finger or arrow keys, and
// the same numbers as a table behind.
import { attribute, h } from "../views/dom.js";
import { format } from "../data/text.js";
import { brief, rate as rated, short, ticks, whole } from "./numbers.js";

const NS = "http://www.w3.org/2000/svg";
const [LEFT, RIGHT, TOP, TALL, GAP, LOW, FOOT] = [52, 14, 10, 168, 24, 40, 22];
const HEIGHT = TOP + TALL + GAP + LOW + FOOT;
const ROWS = 40;

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Value of a curve [[step, value]] at the point nearest to a step, or null. */
function nearest(points, step) {
  let best = null;
  for (const point of points) {
    if (best === null || Math.abs(point[0] - step) < Math.abs(best[0] - step)) best = point;
  }
  return best;
}

/** A run's line or the beginning of one: a path, and a point where there is only one. */
function line(points, x, y) {
  const drawable = points.filter(([, value]) => value !== null);
  return drawable.map(([step, value], at) => `${at ? "L" : "M"}${x(step).toFixed(1)},${y(value).toFixed(1)}`).join("");
}

/**
 * @param app {words, language, sizes, pick(step)}: `pick` chooses the milestone nearest to a step
 */
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
  const table = h("table", { class: "hl-hidden", "data-testid": "tr-table" });
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
    table,
  );
  let shape = null;
  let cursor = null; // the step that is pointed at
  let last = null; // what was drawn

  function draw(story, chosen) {
    last = { story, chosen };
    const [width] = app.sizes.of(surface);
    if (width === 0) return;
    const steps = Math.max(story.started?.steps ?? 0, story.step, 1);
    const curves = { train: story.trainLosses, valid: story.validLosses, rates: story.rates };
    const losses = [...curves.train, ...curves.valid].map(([, value]) => value).filter(Number.isFinite);
    const high = Math.max(...losses, 0) * 1.04 || 1;
    const rate = Math.max(...curves.rates.map(([, value]) => value ?? 0), 0) * 1.08 || 1;
    const x = (step) => LEFT + ((width - LEFT - RIGHT) * step) / steps;
    const y = (loss) => TOP + TALL * (1 - loss / high);
    const z = (value) => TOP + TALL + GAP + LOW * (1 - value / rate);
    shape = { steps, x, y, z, width, ...curves };
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.replaceChildren(...axes(high, rate), ...marks(story, chosen), ...lines(story), ...pointed());
    attribute(surface, "aria-valuemax", steps);
    attribute(surface, "aria-valuenow", cursor ?? story.step);
    attribute(surface, "aria-valuetext", spoken(cursor ?? story.step));
    note.hidden = curves.train.length === 0;
    tell();
    fill(curves);
  }

  function axes(high, rate) {
    const { x, y, z, steps, width } = shape;
    const out = [];
    if (!shape.train.length && !shape.valid.length) return out; // no scale before there is a number
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
      svg("text", { class: "tr-tick", x: LEFT, y: TOP + TALL + GAP - 5 }, words.rate_title),
    );
    return out;
  }

  /** Where whole models are kept: small marks, the chosen one in amber through all curves. */
  function marks(story, chosen) {
    const { x } = shape;
    const foot = TOP + TALL + GAP + LOW;
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

  function lines(story) {
    const { x, y, z, train, valid, rates } = shape;
    const measured = valid.filter(([, value]) => value !== null);
    const dots = measured.map(([step, value]) =>
      svg("circle", { class: "tr-dot-valid", cx: x(step), cy: y(value), r: 2.6 }),
    );
    const best = story.best && measured.find(([step]) => step === story.best.step);
    return [
      svg("path", { class: "tr-line tr-line-rate", d: line(rates, x, z) }),
      svg("path", { class: "tr-line tr-line-train", d: line(train, x, y) }),
      svg("path", { class: "tr-line tr-line-valid", d: line(valid, x, y) }),
      ...dots,
      ...(best ? [svg("circle", { class: "tr-best", cx: x(best[0]), cy: y(best[1]), r: 6 })] : []),
    ];
  }

  function pointed() {
    if (cursor === null) return [];
    const { x } = shape;
    return [svg("line", { class: "tr-cursor", x1: x(cursor), x2: x(cursor), y1: TOP, y2: TOP + TALL + GAP + LOW })];
  }

  /** [name, value] of each curve; what was measured at another step says at which. */
  const facts = (step) =>
    [
      [words.train, shape.train, short],
      [words.valid, shape.valid, short],
      [words.rate_title, shape.rates, rated],
    ]
      .map(([name, points, spell]) => [name, nearest(points, step), spell])
      .filter(([, point]) => point !== null && point[1] !== null)
      .map(([name, [own, value], spell]) => [
        own === step ? name : `${name} (${format(words.step_name, { step: whole(own, language) })})`,
        spell(value),
      ]);

  function spoken(step) {
    const all = [
      format(words.step_name, { step: whole(step, language) }),
      ...facts(step).map(([name, value]) => `${name} ${value}`),
    ];
    return all.join(", ");
  }

  function tell() {
    tip.hidden = cursor === null;
    if (tip.hidden) return;
    tip.replaceChildren(
      h("strong", {}, format(words.step_name, { step: whole(cursor, language) })),
      ...facts(cursor).map(([name, value]) => h("div", {}, name, h("span", {}, value))),
    );
    const wide = tip.offsetWidth;
    const at = shape.x(cursor) + 12;
    tip.style.transform = `translate(${Math.round(at + wide > shape.width ? shape.x(cursor) - wide - 12 : at)}px, ${TOP}px)`;
  }

  function fill({ train, valid }) {
    const steps = [...new Set([...train, ...valid].map(([step]) => step))].sort((a, b) => a - b);
    const every = Math.max(1, Math.ceil(steps.length / ROWS));
    const at = (points, step) => short(points.find(([own]) => own === step)?.[1]);
    const heads = [words.axis_steps, words.train, words.valid].map((name) => h("th", { scope: "col" }, name));
    table.replaceChildren(
      h("caption", {}, words.loss_title),
      h("thead", {}, h("tr", {}, ...heads)),
      h(
        "tbody",
        {},
        ...steps
          .filter((_, index) => index % every === 0 || index === steps.length - 1)
          .map((step) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, String(step)),
              h("td", {}, at(train, step)),
              h("td", {}, at(valid, step)),
            ),
          ),
      ),
    );
  }

  function move(step) {
    cursor = step;
    if (last) draw(last.story, last.chosen);
  }

  /** The step under a pointer, at a point of a curve. */
  function under(event) {
    const points = [...shape.train, ...shape.valid];
    if (!points.length) return null;
    const at =
      ((event.clientX - picture.getBoundingClientRect().left - LEFT) / (shape.width - LEFT - RIGHT)) * shape.steps;
    return nearest(points, at)[0];
  }

  surface.onpointermove = (event) => shape && move(under(event));
  surface.onpointerleave = () => move(null);
  surface.onblur = () => move(null);
  surface.onclick = (event) => {
    const step = shape && under(event);
    if (step !== null) app.pick(step);
  };
  surface.onkeydown = (event) => {
    const steps = [...new Set([...shape.train, ...shape.valid].map(([step]) => step))].sort((a, b) => a - b);
    if (!steps.length) return;
    const now = cursor === null ? steps.length - 1 : steps.findIndex((step) => step >= cursor);
    const to = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      Home: 0,
      End: steps.length - 1,
      PageUp: now - 10,
      PageDown: now + 10,
    }[event.key];
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
      table: table.rows.length,
    }),
  };
}
