// @ts-check
// What a run told, in order, as the page draws it. An event is one line of events.jsonl as
// viz/jobs/run_events.py passes it on.

/** @import { Best, DataRead, Ended, Point, Progress, RunEvent, Started, Validated } from "./types" */

const KEPT = 4000; // reports; of a longer run every second one goes

export class Story {
  constructor() {
    /** @type {Started | null} */
    this.started = null;
    /** @type {DataRead[]} */
    this.data = [];
    /** @type {Progress[]} */
    this.progress = [];
    /** @type {Validated[]} */
    this.validated = [];
    /** @type {number[]} */
    this.milestones = [];
    /** @type {Best | null} */
    this.best = null;
    this.saved = 0;
    this.damaged = false;
    /** @type {Ended | null} */
    this.end = null; // the event that ended it last
    /** @type {string[][]} */
    this.pairs = [];
  }

  clear() {
    Object.assign(this, new Story());
  }

  /** @param {RunEvent} told */
  add(told) {
    if (told.event === "started") this.begin(told);
    else if (told.event === "dataread") this.data.push(told);
    else if (told.event === "progress") this.report(told);
    else if (told.event === "validated") this.validated.push(told);
    else if (told.event === "milestone") this.milestones.push(told.step);
    else if (told.event === "best") this.best = told;
    else if (told.event === "saved") this.saved = told.step;
    else if (told.event === "fellback") this.damaged = true;
    else if (["stopped", "failed", "finished"].includes(told.event)) this.end = told;
  }

  /**
   * What was told after the step from which it goes on is told again.
   * @param {Started} started
   */
  begin(started) {
    const { step } = started;
    this.started = started;
    this.data = [];
    this.damaged = false;
    this.end = null;
    this.progress = this.progress.filter((entry) => entry.step <= step);
    this.validated = this.validated.filter((entry) => entry.step <= step);
    this.milestones = this.milestones.filter((at) => at <= step);
    if (this.best && this.best.step > step) this.best = null;
    this.saved = step;
  }

  /** @param {Progress} progress */
  report(progress) {
    this.progress.push(progress);
    if (this.progress.length > KEPT) this.progress = this.progress.filter((_, at) => at % 2 === 0);
  }

  /** The last step that was heard of. */
  get step() {
    return Math.max(this.started?.step ?? 0, this.progress.at(-1)?.step ?? 0, this.end?.step ?? 0);
  }

  /**
   * [[step, loss]] as trained on.
   * @returns {Point[]}
   */
  get trainLosses() {
    return this.progress.map(({ step, loss }) => [step, loss]);
  }

  /**
   * [[step, loss]] over the validation parts: the mean, which also decides what is best; null without.
   * @returns {Point[]}
   */
  get validLosses() {
    return this.validated.map(({ step, scores }) => {
      const losses = Object.values(scores).map(({ loss }) => /** @type {number} */ (loss));
      const told = losses.length > 0 && losses.every(Number.isFinite);
      return [step, told ? losses.reduce((sum, loss) => sum + loss, 0) / losses.length : null];
    });
  }

  /** @returns {Point[]} */
  get rates() {
    return this.progress.map(({ step, learning_rate: rate }) => [step, rate]);
  }

  /**
   * The newest validation at a step or before it; the first where there is none before.
   * @param {number} step
   */
  validatedBy(step) {
    return this.validated.findLast((entry) => entry.step <= step) ?? this.validated[0] ?? null;
  }
}
