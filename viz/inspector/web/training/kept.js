// Watches a run that trains, for the Milestones page, which is run again when it has kept another
// milestone. Nothing is drawn here.
import { mounts } from "../mounts.js";
import { followRun } from "./feed.js";

export const mount = mounts(() => new Watch());

class Watch {
  update(component) {
    this.component = component;
    const { run, steps } = component.data;
    this.known = new Set(steps);
    this.feed ??= followRun(
      run,
      (reply) => this.hear(reply?.events ?? []),
      () => {},
    );
  }

  /** Only milestones that the page does not have yet: all events are told once at first. */
  hear(events) {
    const news = events.filter(({ event, step }) => event === "milestone" && !this.known.has(step));
    if (news.length) this.component.setTriggerValue?.("kept", news.at(-1).step);
  }

  stop() {
    this.feed.stop();
  }
}
