// @ts-check
// The decoder's other attention at the same step, of the same layer, as one strip: what the row
// reads of the source while it is masked among its own, or the other way round.
import { inkOn, STEPS } from "./colour.js";
import { cells, forbid, rules } from "./bands.js";
import { prepare } from "./paint.js";
import { attribute, h, text } from "./dom.js";
import { mentioned } from "./mention.js";
import { KeyAxis } from "./keyaxis.js";
import { cellWeight, format, fragment, near, weight } from "../data/text.js";

/** @import { Chosen, Inspecting, Kind, Place } from "../types" */

const BAND = 26;
const BESIDE = 2; // pixels between a number and the next
/** @type {Partial<Record<Kind, Kind>>} */
const OTHER = { decoder_self: "cross", cross: "decoder_self" };

/** @param {Inspecting} app */
export function createStrip(app) {
  const { model, words } = app;
  const canvas = h("canvas", { "aria-hidden": "true", "data-testid": "hl-strip-canvas" });
  const title = h("button", { type: "button", class: "hl-strip-title", "data-testid": "hl-strip" });
  const said = h("span", { class: "hl-note" });
  const surface = h("div", { class: "hl-strip-surface" }, canvas);
  const element = h("section", { class: "hl-strip" }, h("div", { class: "hl-strip-bar" }, title, said), surface);
  const measuring = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const axis = new KeyAxis(app);
  /** @type {Record<string, any> | null} */
  let drawn = null;

  /**
   * The head that is shown beside the chosen one, or null: of the same layer and number, where
   * there is such. All matrices are shown without it.
   * @param {Chosen} state
   * @returns {Pick<Place, "kind" | "layer" | "head"> | null}
   */
  function place({ kind, layer, head, stages }) {
    const other = OTHER[kind];
    const site = other && model.sites.get(other);
    if (stages || !other || !site) return null;
    return { kind: other, layer: Math.min(layer, site.layers - 1), head: Math.min(head, site.heads - 1) };
  }

  /** @param {Chosen} state */
  function render(state) {
    const at = place(state);
    element.hidden = at === null;
    drawn = null;
    if (at === null) return;
    text(title, format(words.title, { kind: app.kindName(at.kind), layer: at.layer + 1, head: at.head + 1 }));
    attribute(title, "title", format(words.strip_open, { kind: app.kindName(at.kind) }));
    const [width] = app.sizes.of(surface);
    if (width === 0) return;
    if (!model.has(at.kind)) {
      model.load(at.kind).then(
        () => app.schedule(),
        () => {},
      ); // the switch of kinds says what is wrong
      return;
    }
    axis.lay(at.kind, measuring, { from: 1, room: width - 34, down: false });
    const band = { at: axis.beside, size: BAND };
    surface.style.height = `${band.at + BAND + 2}px`;
    const context = prepare(canvas, width, band.at + BAND + 2);
    const { columns } = model.site(at.kind);
    const from = state.step * columns;
    const { weights } = app.exact.head(at.kind, at.layer, at.head);
    const values = weights.subarray(from, from + columns);
    const status = app.exact.status(at.kind, at.layer, at.head);
    const open = model.drawn(at.kind, [at.layer, at.head], weights, status).subarray(from, from + columns);
    const table = app.theme.scales[at.kind];
    axis.names(context, band.at, (column) => open[column] === 1, -1);
    cells(context, axis, band, values, { table, low: 0, high: 1 });
    forbid(context, axis, band, open);
    rules(context, axis, band);
    const printed = numbers(context, values, open, table, status);
    const best = values.indexOf(Math.max(...values));
    said.replaceChildren(
      open.includes(1)
        ? fragment(words.strip_most, {
            weight: near(status, weight(values[best])),
            token: mentioned(model.keys(at.kind)[best]),
          })
        : words.put_nothing,
    );
    drawn = { ...at, row: state.step, status, printed };
  }

  /**
   * @param {import("../types").Drawing} context
   * @param {Float32Array} values
   * @param {Uint8Array} open
   * @param {Uint32Array} table
   * @param {string} status
   */
  function numbers(context, values, open, table, status) {
    /** @type {[number, string][]} */
    const out = [];
    if (axis.cell < 24) return out;
    context.font = `${axis.cell < 32 ? 11 : 12}px ${app.theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    values.forEach((value, column) => {
      if (!open[column]) return;
      const [x, y, width, height] = axis.box(column, axis.beside, BAND);
      const shown = near(status, cellWeight(value), "≈");
      if (context.measureText(shown).width > width - BESIDE) return;
      context.fillStyle = inkOn(table[Math.round(Math.min(1, value) * (STEPS - 1))]);
      context.fillText(shown, x + width / 2, y + height / 2 + 0.5);
      out.push([column, shown]);
    });
    return out;
  }

  title.onclick = () => {
    const at = place(app.store.get());
    if (at) app.show({ kind: at.kind });
  };

  return {
    element,
    render,
    place,
    /**
     * What of it is here.
     * @param {Chosen} state
     */
    standing(state) {
      const at = place(state);
      return at === null || !model.has(at.kind) ? "missing" : app.exact.status(at.kind, at.layer, at.head);
    },
    drawn: () => drawn,
  };
}
