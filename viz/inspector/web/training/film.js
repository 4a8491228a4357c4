// @ts-check
// One head at every milestone, small: how a picture forms. A radio group with one tab stop.
import { attribute, h } from "../views/dom.js";
import { bitmap, density, hatched, pixels, prepare } from "../views/paint.js";
import { format } from "../data/text.js";
import { brief, whole } from "./numbers.js";

/** @import { Filmed } from "./types" */
/** @typedef {{ button: HTMLButtonElement, canvas: HTMLCanvasElement, drawn: string }} Frame */

const [TALL, NARROWEST, WIDEST] = [52, 30, 74];

/** @param {Filmed} app */
export function createFilm(app) {
  const { words, language } = app;
  const element = h("div", {
    class: "tr-film",
    role: "radiogroup",
    "aria-label": words.films,
    "data-testid": "tr-frames",
  });
  /** @type {Map<number, Frame>} */
  let frames = new Map(); // by step
  let width = NARROWEST; // of the pictures, also of those that are still to come

  /** @param {number} step */
  function frame(step) {
    const canvas = h("canvas", { "aria-hidden": "true" });
    const button = h(
      "button",
      {
        type: "button",
        role: "radio",
        class: "tr-frame",
        "data-step": step,
        "aria-label": format(words.step_name, { step: whole(step, language) }),
      },
      canvas,
      h("span", { "aria-hidden": "true" }, brief(step)),
    );
    button.onclick = () => app.pick(step);
    return { button, canvas, drawn: "" };
  }

  /**
   * @param {number[]} steps
   * @param {number | null} chosen
   */
  function render(steps, chosen) {
    if (steps.some((step) => !frames.has(step)) || frames.size !== steps.length) {
      const before = frames;
      frames = new Map(steps.map((step) => [step, before.get(step) ?? frame(step)]));
      element.replaceChildren(...[...frames.values()].map(({ button }) => button));
    }
    frames.forEach(({ button }, step) => {
      attribute(button, "aria-checked", step === chosen);
      attribute(button, "tabindex", step === chosen ? "0" : "-1");
    });
    const model = steps.map((step) => app.snapshots.model(step)).find(Boolean);
    const head = app.head();
    const site = model && head && model.sites.get(head.kind);
    if (site) width = Math.min(WIDEST, Math.max(NARROWEST, Math.round((TALL * site.columns) / Math.max(site.rows, 1))));
    frames.forEach((one, step) => paint(one, step));
  }

  /**
   * @param {Frame} one
   * @param {number} step
   */
  function paint(one, step) {
    const model = app.snapshots.model(step);
    const head = app.head();
    const site = model && head && model.sites.get(head.kind);
    const place = head && `${head.kind}|${head.layer}|${head.head}`;
    const key = site ? `${model.meta.trace_id}|${place}|${app.theme.key}@${density()}` : "";
    one.canvas.style.width = `${width}px`;
    if (key === one.drawn) return;
    one.drawn = key;
    const wide = width;
    if (!site) {
      prepare(one.canvas, wide, TALL);
      return;
    }
    const context = prepare(one.canvas, wide, TALL);
    const [w, t] = [pixels(site.columns, wide), pixels(site.rows, TALL)];
    const small = model.small(head.kind, head.layer, head.head);
    const [tall, across] = [Math.min(t, small.rows), Math.min(w, small.columns)];
    const shade = { table: app.theme.scales[head.kind], low: 0, high: 1 };
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap(small.values, small.rows, small.columns, tall, across, shade), 0, 0, wide, TALL);
    const open = model.allowed(head.kind, head.layer, head.head);
    const mask = hatched(open, site.rows, site.columns, wide, TALL, app.theme, "small");
    if (mask) context.drawImage(mask, 0, 0, wide, TALL);
  }

  element.onkeydown = (event) => {
    const steps = [...frames.keys()];
    const now = steps.findIndex((step) => frames.get(step)?.button.getAttribute("aria-checked") === "true");
    /** @type {Record<string, number | undefined>} */
    const keys = {
      ArrowLeft: now - 1,
      ArrowUp: now - 1,
      ArrowRight: now + 1,
      ArrowDown: now + 1,
      Home: 0,
      End: steps.length - 1,
    };
    const to = keys[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const step = steps[Math.min(Math.max(to, 0), steps.length - 1)];
    app.pick(step);
    frames.get(step)?.button.focus({ preventScroll: true });
  };

  return {
    element,
    render,
    /** @param {number | null} step */
    reveal(step) {
      const button = step === null ? undefined : frames.get(step)?.button;
      if (!button) return;
      const [from, to] = [button.offsetLeft - 8, button.offsetLeft + button.offsetWidth + 8 - element.clientWidth];
      element.scrollLeft = Math.min(Math.max(element.scrollLeft, to), Math.max(0, from));
    },
    drawn: () => [...frames].filter(([, { drawn }]) => drawn).map(([step]) => step),
  };
}
