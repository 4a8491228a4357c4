// @ts-check
// What a model that writes nothing says at a row: of the source's token there, or of what is beside it.
import { createDistribution } from "./distribution.js";
import { PLAIN } from "../data/sampling.js";
import { fragment } from "../data/text.js";
import { candidates } from "../data/tokens.js";
import { attribute } from "./dom.js";
import { mentioned } from "./mention.js";

/** @import { ExactLogits } from "../data/exact.js" */
/** @import { Inspector } from "../inspector.js" */
/** @import { Chosen, HeadState, Inspecting, NextEntry } from "../types" */

/**
 * The row of the source whose token is told of; of words, which are several tokens, the last.
 * @param {Pick<Inspecting, "seen" | "model" | "stageRow" | "focusRow">} app
 * @param {HeadState} state
 */
export function toldRow(app, state) {
  return (app.seen === app.model ? app.focusRow(state) : null) ?? app.stageRow(state);
}

/**
 * As `createDistribution`, of the row in view in the place of the step.
 * @param {Inspector} app
 * @param {object} options
 * @param {number} options.rows how many candidates are shown
 * @param {NextEntry[]} options.told of each token of the source
 * @param {ExactLogits} options.logits none of which is ever asked for
 */
export function createTold(app, { rows, told, logits }) {
  const { model, words } = app;
  const { foretells } = model.meta.facts;
  const title = words[`told_at_${foretells}`] ?? words.told_at;
  const panel = createDistribution(app, {
    rows,
    at: (row) => candidates(told, row, words),
    logits,
    title: (row) => fragment(title, { token: mentioned(model.source[row]) }),
    steps: told.length,
  });
  // Its name for screen readers stays while the heading follows the row.
  attribute(panel.element, "aria-label", words[`told_${foretells}`] ?? words.told);
  return {
    ...panel,
    /** @param {Chosen} state */
    render: (state) => panel.render({ step: toldRow(app, state), shape: PLAIN }),
  };
}
