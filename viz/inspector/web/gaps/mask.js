// @ts-check
// A model's mask as a small picture: which tokens each may look at.
import { axisNames, h } from "../views/dom.js";
import { hatched, prepare } from "../views/paint.js";
import { cssOf, STEPS } from "../views/colour.js";

/** @import { Context } from "./types" */
/** @import { GapsView } from "./gaps.js" */

const [TALLEST, LARGEST] = [150, 16]; // pixels of the picture, and of a cell

/** How far from the gap the row is that foretells what stands there. */
const ROWS = { before: -1, after: 1, both: 0 };

/**
 * @param {GapsView} app
 * @param {Context} context
 */
export function createMask(app, context) {
  const count = app.tokens.length;
  const cell = Math.min(LARGEST, TALLEST / count);
  const size = Math.ceil(cell * count) + 2;
  const canvas = h("canvas");
  const cells = h("div", { class: "hl-gaps-cells" }, canvas);
  const element = h("div", { class: "hl-gaps-mask", "aria-hidden": "true" }, ...axisNames(app.words), cells);
  cells.style.width = `${size}px`;
  cells.style.height = `${size}px`;

  return {
    element,
    /** @param {number} gap among all tokens */
    render(gap) {
      const pen = prepare(canvas, size, size);
      const { theme } = app;
      const row = gap + ROWS[context];
      const scale = theme.scales.encoder_self;
      const open = new Uint8Array(count * count);
      for (let query = 0; query < count; query += 1)
        for (let key = 0; key < count; key += 1) {
          const allowed = context === "both" || (context === "before" ? key <= query : key >= query);
          open[query * count + key] = Number(allowed);
          if (!allowed) continue;
          const strong = query === row ? 0.8 : 0.35;
          pen.fillStyle = cssOf(scale[Math.round(strong * (STEPS - 1))]);
          pen.fillRect(1 + key * cell, 1 + query * cell, Math.max(cell - 1, 0.6), Math.max(cell - 1, 0.6));
        }
      const shut = hatched(open, count, count, count * cell, count * cell, theme, "forbidden");
      if (shut) pen.drawImage(shut, 1, 1, count * cell, count * cell);
      if (context === "both") {
        // What stands in the gap is hidden: of it nothing can be seen.
        pen.fillStyle = theme.accent;
        pen.fillRect(1 + gap * cell, 1, Math.max(cell - 1, 0.6), count * cell - 1);
      }
      pen.strokeStyle = theme.text;
      pen.lineWidth = 1.5;
      pen.strokeRect(0.75, 0.75 + row * cell, count * cell, cell);
    },
  };
}
