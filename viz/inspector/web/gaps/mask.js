// @ts-check
// A model's mask as a small picture: which tokens each may look at.
import { h } from "../views/dom.js";
import { prepare } from "../views/paint.js";
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
  const canvas = h("canvas", { "aria-hidden": "true" });
  const element = h("div", { class: "hl-gaps-mask" }, canvas);
  element.style.width = `${size}px`;
  element.style.height = `${size}px`;

  return {
    element,
    /** @param {number} gap among all tokens */
    render(gap) {
      const pen = prepare(canvas, size, size);
      const { theme } = app;
      const row = gap + ROWS[context];
      const scale = theme.scales.encoder_self;
      for (let query = 0; query < count; query += 1)
        for (let key = 0; key < count; key += 1) {
          const allowed = context === "both" || (context === "before" ? key <= query : key >= query);
          const strong = query === row ? 0.8 : 0.35;
          pen.fillStyle = allowed ? cssOf(scale[Math.round(strong * (STEPS - 1))]) : theme.line;
          pen.globalAlpha = allowed ? 1 : 0.35;
          pen.fillRect(1 + key * cell, 1 + query * cell, Math.max(cell - 1, 0.6), Math.max(cell - 1, 0.6));
        }
      pen.globalAlpha = 1;
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
