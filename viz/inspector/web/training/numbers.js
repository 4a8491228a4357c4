// @ts-check
// Numbers of a training run as people read them.

export const whole = (/** @type {number} */ value, /** @type {string} */ language) => value.toLocaleString(language);

/**
 * Three digits that matter: 2.31, 0.0412.
 * @param {number | null | undefined} value
 */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3) return value.toExponential(1).replace("e-", "e−");
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** A learning rate: 2.7e−3. */
export const rate = (/** @type {number | null | undefined} */ value) =>
  typeof value === "number" && Number.isFinite(value)
    ? value.toExponential(1).replace("e-", "e−").replace("e+", "e")
    : "–";

export const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)}\u00a0%`;

/**
 * "1:05:09", "2:05", "0:14".
 * @param {number} seconds
 */
export function clock(seconds) {
  const all = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * Steps on a narrow label: 0, 58, 1.2k, 30k.
 * @param {number} step
 */
export function brief(step) {
  if (step < 1000) return String(step);
  const thousands = step / 1000;
  return `${thousands >= 10 ? Math.round(thousands) : Number(thousands.toFixed(1))}k`;
}

/**
 * About `count` round numbers from 0 to `high`.
 * @param {number} high
 * @param {number} count
 */
export function ticks(high, count) {
  if (!(high > 0)) return [0];
  const rough = high / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, at) => at * step);
}
