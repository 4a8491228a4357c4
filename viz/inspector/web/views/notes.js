// @ts-check
// What is to be known of a trace before it is looked at.
import { h } from "./dom.js";
import { format } from "../data/text.js";

/** @import { Inspecting } from "../types" */

const EDITS = 6; // that are named

/**
 * That something was edited, so that the numbers are not those of the model as it is; that rows have
 * a sink; and, where no switch beside it says so, that the mask was lifted, that what stands there was given,
 * that the text was read as a message, or by what chance it was drawn.
 * @param {Pick<Inspecting, "alone" | "model" | "words">} app
 */
export function notesOf({ alone, model, words }) {
  const { edits = [], facts, sampled = {}, ui } = model.meta;
  const listed = [...edits.slice(0, EDITS), ...(edits.length > EDITS ? ["…"] : [])].join(", ");
  const switched = !alone && (ui.branches || ui.asks?.model);
  const note = (/** @type {string} */ name, /** @type {string} */ said) =>
    h("p", { class: "hl-note", "data-testid": name }, said);
  return [
    edits.length > 0 ? note("hl-edited", format(words.edited, { edits: listed })) : null,
    model.meta.sites.some(({ sink }) => sink) ? note("hl-sink", words.sink) : null,
    facts.lift_mask && !switched ? note("hl-lifted", words.lifted) : null,
    facts.free_running === false && model.steps > 0 && !switched ? note("hl-given", words.given) : null,
    facts.message && !switched ? note("hl-message", words.message) : null,
    sampled.seed && !switched ? note("hl-sampled", format(words.sampled, sampled)) : null,
  ];
}
