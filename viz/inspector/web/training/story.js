// What a run told, in order, as the page draws it. An event is one line of events.jsonl as
// viz/jobs/run_events.py passes it on.

const KEPT = 4000; // reports; of a longer run every second one goes

/** Whether an event of an earlier attempt still holds for a run that goes on after `step`. */
const holds = (entry, step) => entry.step <= step;

export class Story {
  constructor() {
    this.clear();
  }

  clear() {
    this.started = null;
    this.data = [];
    this.progress = [];
    this.validated = [];
    this.milestones = [];
    this.best = null;
    this.saved = 0;
    this.damaged = false;
    this.end = null; // the event that ended it last
    this.pairs = [];
  }

  add(event) {
    const { event: name, ...rest } = event;
    if (name === "started") this.begin(rest);
    else if (name === "dataread") this.data.push(rest);
    else if (name === "progress") this.report(rest);
    else if (name === "validated") this.validated.push(rest);
    else if (name === "milestone") this.milestones.push(rest.step);
    else if (name === "best") this.best = rest;
    else if (name === "saved") this.saved = rest.step;
    else if (name === "fellback") this.damaged = true;
    else if (["stopped", "failed", "finished"].includes(name)) this.end = event;
  }

  /** What was told after the step from which it goes on is told again. */
  begin(started) {
    const { step } = started;
    this.started = started;
    this.data = [];
    this.damaged = false;
    this.end = null;
    this.progress = this.progress.filter((entry) => holds(entry, step));
    this.validated = this.validated.filter((entry) => holds(entry, step));
    this.milestones = this.milestones.filter((at) => at <= step);
    if (this.best && !holds(this.best, step)) this.best = null;
    this.saved = step;
  }

  report(progress) {
    this.progress.push(progress);
    if (this.progress.length > KEPT) this.progress = this.progress.filter((_, at) => at % 2 === 1);
  }

  /** The last step that was heard of. */
  get step() {
    return Math.max(this.started?.step ?? 0, this.progress.at(-1)?.step ?? 0, this.end?.step ?? 0);
  }

  /** [[step, loss]] as trained on. */
  get trainLosses() {
    return this.progress.map(({ step, loss }) => [step, loss]);
  }

  /** [[step, loss]] over the validation parts: the mean, which also decides what is best; null without. */
  get validLosses() {
    return this.validated.map(({ step, scores }) => {
      const losses = Object.values(scores).map(({ loss }) => loss);
      const told = losses.length > 0 && losses.every(Number.isFinite);
      return [step, told ? losses.reduce((sum, loss) => sum + loss, 0) / losses.length : null];
    });
  }

  get rates() {
    return this.progress.map(({ step, learning_rate: rate }) => [step, rate]);
  }

  /** The newest validation at a step or before it; the first where there is none before. */
  validatedBy(step) {
    return this.validated.findLast((entry) => entry.step <= step) ?? this.validated[0] ?? null;
  }
}
