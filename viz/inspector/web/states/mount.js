// @ts-check
// How states are mounted, of one trace and of two: with the numbers of the layer that will be shown.
import { server } from "../data/source.js";
import { mounting } from "../host.js";
import { same } from "../store.js";
import { settleStates } from "./chosen.js";

/** @import { Ask, Component, Ui, Wanted } from "../types" */
/** @import { Settled, Shaped, Stack } from "./types" */
/** @import { StatesView } from "./view.js" */

/**
 * @template {{ ui: Ui }} Meta
 * @template {Shaped & { load(stack: Stack, layer: number): Promise<unknown> }} Recordings
 * @template {StatesView<any, Recordings>} View
 * @param {object} kind
 * @param {string[]} kind.sheets
 * @param {(meta: Meta) => unknown} kind.shown what names its traces
 * @param {(meta: Meta, source: Ask) => Recordings} kind.recorded
 * @param {(root: HTMLElement, model: Recordings, settled: Settled, meta: Meta) => View} kind.view
 */
export function mountStates({ sheets, shown, recorded, view }) {
  /**
   * What is chosen; of other traces a step and a unit are not what they were.
   * @param {Meta} meta
   * @param {Wanted | null} wanted
   * @param {View | null} earlier
   */
  function chosen(meta, wanted, earlier) {
    const before = earlier?.selection() ?? {};
    const other = earlier && !same(shown(/** @type {Meta} */ (earlier.meta)), shown(meta));
    return { ...before, ...(other ? { position: null, unit: null } : {}), ...wanted };
  }

  return mounting({
    sheets,
    testid: "hl-states",
    room: 480,
    parameters: ["stack", "stack_layer", "state", "position"],
    options: ["unit", "units"],
    shown,
    /**
     * What was drawn stays until the numbers are here.
     * @param {Component<{ meta: Meta }>} component
     * @param {Wanted | null} wanted
     * @param {View | null} earlier
     */
    async prepare({ data: { meta }, source }, wanted, earlier) {
      const model = recorded(meta, source ?? server);
      const { stack, layer } = settleStates(chosen(meta, wanted, earlier), model);
      await model.load(stack, layer);
      return model;
    },
    /**
     * @param {HTMLElement} root
     * @param {{ meta: Meta }} data
     * @param {Wanted | null} wanted
     * @param {View | null} earlier
     * @param {Recordings} model
     */
    open(root, { meta }, wanted, earlier, model) {
      const settled = settleStates(chosen(meta, wanted, earlier), model);
      earlier?.stop();
      return view(root, model, settled, meta);
    },
  });
}
