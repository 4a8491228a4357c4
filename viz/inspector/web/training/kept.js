// @ts-check
// Watches a run that trains, for the Milestones page, which is run again when it has kept another
// milestone. Nothing is drawn here.
import { mounts } from "../mounts.js";
import { followRun } from "./feed.js";

/** @import { Component, RunEvent } from "./types" */
/** @typedef {Component<{ run: string, steps: number[] }>} Kept */

export const mount = mounts((/** @type {Kept} */ component) => new Watch(component));

class Watch {
  /** @param {Kept} component */
  constructor(component) {
    this.component = component;
    this.known = new Set(component.data.steps);
    this.feed = followRun(
      component.data.run,
      (reply) => this.hear(reply?.events ?? []),
      () => {},
    );
  }

  /** @param {Kept} component */
  update(component) {
    this.component = component;
    this.known = new Set(component.data.steps);
  }

  /**
   * Only milestones that the page does not have yet: all events are told once at first.
   * @param {RunEvent[]} events
   */
  hear(events) {
    const news = events.flatMap((one) => (one.event === "milestone" && !this.known.has(one.step) ? [one.step] : []));
    if (news.length) this.component.setTriggerValue?.("kept", news.at(-1));
  }

  stop() {
    this.feed.stop();
  }
}
