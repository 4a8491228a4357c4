// @ts-check
// About how large a page of a trace will be (viz/inspector/single.py), so that one knows before.
/** @import { Meta, Site } from "../types" */

// Bytes of the modules, and what is left of bytes once compressed, measured on trained models.
const [MODULES, TOKEN, STEP, TRAIT] = [350_000, 90, 460, 20];
const [CODES, LINEAR, FLOATS, TEXT] = [0.8, 0.45, 0.92, 4 / 3];
const [EXACT, LOGITS] = [12 * 2 ** 20, 4 * 2 ** 20]; // as there

const headsOf = (/** @type {Site} */ { layers, heads }) => layers * heads;

/**
 * Bytes of the exact numbers of a head.
 * @param {Site} site
 * @param {boolean} scored
 */
function exactBytes({ rows, columns, heads, scores, shares }, scored) {
  const cells = rows * columns;
  return 4 * (cells + (scored && scores ? cells : 0) + (scored && shares ? heads * rows : 0));
}

/**
 * What is told of a trace.
 * @param {Meta} meta
 */
function described({ sites, source, written, next }) {
  const traits = sites.reduce((all, site) => all + headsOf(site) * Object.keys(site.traits).length, 0);
  return (source.text.length + 2 * written.text.length) * TOKEN + (next ?? []).length * STEP + traits * TRAIT;
}

/**
 * Bytes of a page that holds these traces.
 * @param {Meta[]} traces
 * @param {{ compact: boolean, scored: boolean, open: (at: number, site: Site) => number }} of whether
 *   it is a small one; whether scores are held; the cells that the heads of a kind may look at
 */
export function fileSize(traces, { compact, scored, open }) {
  let [packed, exact, logits, text] = [0, 0, 0, MODULES];
  traces.forEach((meta, at) => {
    text += described(meta);
    const all = meta.sites.map((site) => exactBytes(site, scored));
    meta.sites.forEach((site) => {
      packed += open(at, site) * (compact ? LINEAR : CODES);
    });
    exact += compact
      ? Math.max(0, ...all)
      : meta.sites.reduce((sum, site, index) => sum + all[index] * headsOf(site), 0);
    const own = 4 * meta.vocabulary * meta.written.text.length;
    if (scored && !compact && own <= LOGITS) logits += own;
  });
  return text + (packed + (Math.min(exact, EXACT) + logits) * FLOATS) * TEXT;
}

/** "0.4 MB". */
export const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 1 : 0)} MB`;
