// @ts-check
// The numbers in the bands of the flow: a score, what the mask adds to it, what is left, its weight.
import { inkOn, inkOnHue, STEPS } from "./colour.js";
import { cellWeight, near, score } from "../data/text.js";

/** @import { Drawing } from "../types" */
/** @import { KeyAxis } from "./keyaxis.js" */
/** @typedef {import("./bands.js").Band & { name: string }} Stage */
/**
 * What is drawn of the row; a bar that is `whole` fills its band.
 * @typedef {{
 *   allowed: Uint8Array, open: Uint8Array, whole: number,
 *   scores: Float32Array | null, weights: Float32Array, most: number,
 *   forced: boolean, status: string, hue: string, hovered: number, pinned: number,
 * }} Row
 */

/** @type {(axis: KeyAxis, stage: Stage) => boolean} whether numbers of a stage may be legible at all */
export function hasRoom(axis, stage) {
  return axis.down ? stage.size >= 27 && axis.cell >= 12 : axis.cell >= 27;
}

/**
 * The numbers themselves, with as many digits as fit; none where not one fits.
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Stage} stage
 * @param {Row} row
 * @param {number} done
 * @returns {[string, number, string][]}
 */
export function numbers(context, axis, stage, row, done) {
  if (!hasRoom(axis, stage)) return [];
  const room = axis.down ? stage.size : axis.cell;
  context.font = `${room < 34 ? 11 : 12}px ${axis.app.theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const widest = score(-row.most); // with three digits
  const digits = [3, 2, 1, 0].find(
    (many) => context.measureText(widest.slice(0, widest.length - (many ? 3 - many : 4))).width <= room - 4,
  );
  const open = stage.name === "weights" ? row.open : row.allowed;
  return Array.from(open, (shown, column) => {
    const said = spell(stage.name, row, column, digits);
    if (said !== "") write(context, axis, stage, row, column, said, shown === 1, done);
    return /** @type {[string, number, string]} */ ([stage.name, column, said]);
  }).filter(([, , said]) => said !== "");
}

/**
 * What stands at a key: a score, what the mask adds to it, what is left, its weight.
 * @param {string} name
 * @param {Row} row
 * @param {number} column
 * @param {number | undefined} digits
 */
function spell(name, row, column, digits) {
  const open = row.allowed[column] === 1;
  if (name === "weights") return open || row.forced ? near(row.status, cellWeight(row.weights[column]), "≈") : "0";
  if (name === "mask" || (name === "masked" && !open)) return open ? "0" : "−∞";
  if (!row.scores || digits === undefined) return "";
  const shown = row.scores[column].toFixed(digits);
  return Number(shown) === 0 ? shown.replace("-", "") : shown.replace("-", "−");
}

/**
 * @param {Drawing} context
 * @param {KeyAxis} axis
 * @param {Stage} stage
 * @param {Row} row
 * @param {number} column
 * @param {string} said
 * @param {boolean} open
 * @param {number} done
 */
function write(context, axis, stage, row, column, said, open, done) {
  const { theme } = axis.app;
  const [x, y, width, height] = axis.box(column, stage.at, stage.size);
  let centre = x + width / 2;
  let middle = y + height / 2 + 0.5;
  context.fillStyle = theme.text;
  if (!open && stage.name !== "scores") {
    // letters on a hatch have paper beneath them
    const wide = context.measureText(said).width + 6;
    context.fillStyle = theme.background;
    context.fillRect(centre - wide / 2, middle - 8, wide, 15);
    context.fillStyle = theme.muted;
  } else if (stage.name === "weights" && axis.down) {
    // behind its bar, or at the end of a long one
    const [long, wide] = [(row.weights[column] / row.whole) * done * width, context.measureText(said).width + 6];
    const within = long > width - wide;
    centre = within ? x + long - wide / 2 : x + long + wide / 2;
    if (within) context.fillStyle = inkOnHue(row.hue);
  } else if (stage.name === "weights") {
    // above its bar, or at the top of a high one
    const long = (row.weights[column] / row.whole) * done * height;
    const within = long > height - 18;
    middle = within ? y + height - long + 10 : y + height - long - 8;
    if (within) context.fillStyle = inkOnHue(row.hue);
  } else if (stage.name !== "mask" && stage.name !== "weights" && row.scores) {
    const share = row.scores[column] / row.most / 2 + 0.5;
    context.fillStyle = inkOn(theme.diverging[Math.round(share * (STEPS - 1))]);
  }
  context.fillText(said, centre, middle);
}
