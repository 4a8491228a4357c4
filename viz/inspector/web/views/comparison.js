// @ts-check
// A second trace beside the first: its tokens, its distribution, and what lifting the mask did.
import { printed } from "../data/text.js";
import { candidates, tokensOf } from "../data/tokens.js";

/** @import { Compare, Meta, NextEntry } from "../types" */

/**
 * meta.compare as viz/inspector/payload.py writes it, beside the first trace's meta.
 * @param {Compare} compare
 * @param {Meta} base
 */
export function comparisonOf(compare, base) {
  const words = base.ui.text;
  const written = tokensOf(compare.written, words);
  const chosenP = (/** @type {NextEntry[] | null} */ next, /** @type {number} */ step) =>
    candidates(next, step, words)?.chosen?.p ?? null;
  return {
    traceId: compare.trace_id,
    role: compare.role,
    label: compare.label,
    baseLabel: compare.base_label,
    read: tokensOf(compare.read, words),
    written,
    next: (/** @type {number} */ step) => candidates(compare.next, step, words),
    differs: (/** @type {number} */ step) => base.written.piece[step] !== written[step]?.piece,
    /**
     * Probability of the written token as it is printed, lifted (the first) minus causal; null where it cannot be said.
     * @param {number} step
     */
    delta(step) {
      if (compare.role !== "causal" || base.written.piece[step] !== written[step]?.piece) return null;
      const [own, other] = [chosenP(base.next, step), chosenP(compare.next, step)];
      if (own === null || other === null) return null;
      return printed(own) - printed(other);
    },
  };
}
