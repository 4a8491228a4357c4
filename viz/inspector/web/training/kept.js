// @ts-check
// Watches a run that trains, for the Milestones page, which is run again when it has kept another
// milestone. Nothing is drawn here.
import { mounts } from "../mounts.js";
import { followRun } from "./feed.js";

/** @import { Component } from "./types" */
/** @typedef {Component<{ run: string, steps: number[] }>} Kept */

export const mount = mounts((/** @type {Kept} */ component) => {
  let now = component;
  const feed = followRun(
    component.data.run,
    (reply) => {
      // Only milestones that the page does not have yet: all events are told once at first.
      const { steps } = now.data;
      const news = reply?.events.flatMap((one) =>
        one.event === "milestone" && !steps.includes(one.step) ? [one.step] : [],
      );
      if (news?.length) now.setTriggerValue?.("kept", news.at(-1));
    },
    () => {},
  );
  return {
    update(component) {
      now = component;
    },
    stop: () => feed.stop(),
  };
});
