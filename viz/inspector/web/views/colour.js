// @ts-check
// Colour scales as lookup tables, and the two hatches. Interpolated in OKLab, so that
// lightness changes evenly and monotonically with the weight (Ottosson 2020).

/** @import { Drawing, Kind, Theme } from "../types" */
/** @typedef {number[]} Rgb three bytes */

/** @type {Record<Kind, string>} */
const HUES = { encoder_self: "#0072b2", decoder_self: "#d55e00", cross: "#009e73" };
// Of heads beside each other, on light (Okabe and Ito) and on dark (Tol's "light" scheme).
const SEVERAL = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#e69f00", "#56b4e9", "#882255", "#5c5f66"],
  dark: ["#77aadd", "#ee8866", "#44bb99", "#ffaabb", "#eedd88", "#99ddff", "#bbcc33", "#dddddd"],
};
const NEGATIVE = "#8a4fb5";
const POSITIVE = "#00808f";
export const STEPS = 256;

/**
 * @param {string} colour
 * @returns {Rgb | null}
 */
export function parse(colour) {
  const hex = /^#([0-9a-f]{6})/i.exec(colour)?.[1];
  if (hex) return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const short = /^#([0-9a-f]{3})$/i.exec(colour)?.[1];
  if (short) return Array.from(short, (digit) => parseInt(digit + digit, 16));
  const parts = colour.match(/[\d.]+/g);
  return parts && parts.length >= 3 ? parts.slice(0, 3).map(Number) : null;
}

const toLinear = (/** @type {number} */ byte) => {
  const unit = byte / 255;
  return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
};
const toByte = (/** @type {number} */ linear) => {
  const unit = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, unit)));
};

/**
 * Relative luminance of WCAG 2, 0 to 1.
 * @param {Rgb} rgb
 */
export function luminance(rgb) {
  const [r, g, b] = rgb.map(toLinear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {Rgb} rgb */
function toLab(rgb) {
  const [r, g, b] = rgb.map(toLinear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/**
 * @param {number[]} lab
 * @returns {Rgb}
 */
function fromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/**
 * Uint32Array of `steps` pixels (ABGR as ImageData has them) from one colour to another;
 * a `bend` below 1 rises faster at first, as faint light on black needs it.
 * @param {Rgb} from
 * @param {Rgb} to
 * @param {number} steps
 * @param {number} bend
 */
function ramp(from, to, steps, bend) {
  const [a, b] = [toLab(from), toLab(to)];
  return Uint32Array.from({ length: steps }, (_, index) => {
    const t = (index / (steps - 1)) ** bend;
    const [r, g, blue] = fromLab(a.map((value, axis) => value + (b[axis] - value) * t));
    return ((255 << 24) | (blue << 16) | (g << 8) | r) >>> 0;
  });
}

const rgbOf = (/** @type {number} */ pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
export const cssOf = (/** @type {number} */ pixel) => `rgb(${rgbOf(pixel).join(" ")})`;

/**
 * Colours a bar as a table does, or a part of it; between its stops the browser mixes.
 * @param {HTMLElement} bar
 * @param {Uint32Array} table
 * @param {number} from place in the table
 * @param {number} to likewise
 */
export function paintBar(bar, table, from = 0, to = STEPS - 1) {
  const at = (/** @type {number} */ stop) => Math.round(from + (stop / 16) * (to - from));
  const stops = Array.from({ length: 17 }, (_, stop) => cssOf(table[at(stop)]));
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
}

/**
 * Black or white, whichever reads better on a pixel.
 * @param {number} pixel
 */
export function inkOn(pixel) {
  return inkOver(rgbOf(pixel));
}

/**
 * The same on a hue as `Theme` has it.
 * @param {string} hue
 */
export function inkOnHue(hue) {
  return inkOver(parse(hue) ?? [0, 0, 0]);
}

const inkOver = (/** @type {number[]} */ colour) => (luminance(colour) > 0.2 ? "#111318" : "#ffffff");

/**
 * Everything that is drawn takes its colours from here; read once a theme.
 * @param {Element} root
 * @returns {Theme}
 */
export function readTheme(root) {
  const style = getComputedStyle(root);
  const get = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    style.getPropertyValue(name).trim() || otherwise;
  const background =
    parse(get("--st-background-color", "")) ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? [14, 17, 23] : [255, 255, 255]);
  const dark = luminance(background) < 0.2;
  const text = parse(get("--st-text-color", "")) ?? (dark ? [250, 250, 250] : [26, 28, 34]);
  const mix = (/** @type {number} */ share) => cssMix(text, background, share);
  const scale = (/** @type {string} */ hex, steps = STEPS) => {
    const [L, a, b] = toLab(parse(hex) ?? [0, 0, 0]);
    // Full weight is the hue itself, a step darker on white and lighter on black: more range.
    const full = fromLab(dark ? [Math.max(L, 0.78), a, b] : [L * 0.82, a * 0.92, b * 0.92]);
    return ramp(background, full, steps, dark ? 0.75 : 1);
  };
  const half = STEPS / 2;
  const diverging = new Uint32Array(STEPS);
  diverging.set(scale(NEGATIVE, half).reverse());
  diverging.set(scale(POSITIVE, half), half);
  return {
    dark,
    hues: HUES,
    several: SEVERAL[dark ? "dark" : "light"],
    scales: Object.fromEntries(Object.entries(HUES).map(([kind, hex]) => [kind, scale(hex)])),
    diverging,
    background: cssMix(background, background, 0),
    text: cssMix(text, text, 1),
    muted: mix(0.74),
    quiet: mix(0.62), // the least that letters may have: 4.5 to 1 against the page
    faint: mix(0.42), // for marks
    line: mix(0.14),
    accent: "#e09f00",
    hatch: mix(dark ? 0.34 : 0.3),
    hatchFaint: mix(dark ? 0.16 : 0.13),
    font: get("--hl-font", "sans-serif"),
    key: `${background}/${text}`,
  };
}

/**
 * @param {Rgb} a
 * @param {Rgb} b
 * @param {number} share of the first
 */
function cssMix(a, b, share) {
  return `rgb(${a.map((value, at) => Math.round(value * share + b[at] * (1 - share))).join(" ")})`;
}

/** Size of the tile in CSS pixels; "small" is "forbidden" for the pictures of the grid. */
const HATCHES = { forbidden: 6, unwritten: 9, small: 4 };
/** @type {Map<string, CanvasPattern | string>} */
const hatches = new Map();

/**
 * A hatch: "forbidden" leans right and is dense, "unwritten" leans left and is faint.
 * @param {Drawing} context
 * @param {Theme} theme
 * @param {keyof typeof HATCHES} name
 * @param {number} ratio
 */
export function hatch(context, theme, name, ratio) {
  const key = `${name}@${ratio}|${theme.key}`;
  const known = hatches.get(key);
  if (known) return known;
  if (hatches.size >= 16) hatches.clear();
  const size = HATCHES[name] * Math.max(1, Math.round(ratio));
  const tile = new OffscreenCanvas(size, size);
  const draw = tile.getContext("2d");
  if (!draw) return theme.hatch;
  draw.strokeStyle = name === "forbidden" ? theme.hatch : theme.hatchFaint;
  draw.lineWidth = Math.max(1, ratio);
  draw.beginPath();
  for (const shift of [-size, 0, size]) {
    if (name !== "unwritten") {
      draw.moveTo(shift - 1, size + 1);
      draw.lineTo(shift + size + 1, -1);
    } else {
      draw.moveTo(shift - 1, -1);
      draw.lineTo(shift + size + 1, size + 1);
    }
  }
  draw.stroke();
  const made = context.createPattern(tile, "repeat") ?? theme.hatch;
  hatches.set(key, made);
  return made;
}
