// @ts-check
// Asks the server what is new, again and again: one answer at a time, less often while nothing
// trains, not at all while nobody looks.

/** @import { Reply, Run } from "./types" */

const [SOON_MS, LATER_MS, AWAY_MS] = [900, 4000, 3000];
export const ACTIVE = ["starting", "running", "stopping"];

/** Calls `ask` (async, returns the pause before the next time in ms) until it is stopped. */
class Pulse {
  /** @param {() => Promise<number>} ask */
  constructor(ask) {
    this.ask = ask;
    this.timer = 0;
    this.stopped = false;
    this.asking = false;
    this.seen = () => document.visibilityState === "visible" && this.beat();
    document.addEventListener("visibilitychange", this.seen);
    this.beat();
  }

  async beat() {
    clearTimeout(this.timer);
    if (this.stopped || this.asking || document.visibilityState !== "visible") return;
    this.asking = true;
    let pause = AWAY_MS;
    try {
      pause = await this.ask();
    } finally {
      this.asking = false; // what cannot be drawn is an error of the page's, and the next may be
      if (!this.stopped) this.timer = setTimeout(() => this.beat(), pause);
    }
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.seen);
  }
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function json(path) {
  const reply = await fetch(new URL(path, document.baseURI), { cache: "no-store" });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.json();
}

/**
 * Tells the list of runs whenever it may have changed.
 * @param {(runs: Run[]) => void} heard
 */
export function followRuns(heard) {
  return new Pulse(async () => {
    const reply = /** @type {{ runs: Run[] } | null} */ (await json("runs").catch(() => null));
    if (reply === null) return LATER_MS; // whoever follows one run says that the server is away
    heard(reply.runs);
    return reply.runs.some(({ state }) => ACTIVE.includes(state)) ? SOON_MS * 2 : LATER_MS;
  });
}

/**
 * Follows one run.
 * @param {string} id
 * @param {(reply: Reply | null) => void} heard what is new: see `told` in viz/jobs/run_events.py;
 *   null: there is no such run
 * @param {(is: boolean) => void} away the server does not answer, or does again
 */
export function followRun(id, heard, away) {
  let from = 0;
  return new Pulse(async () => {
    /** @type {Reply | null} */
    let reply;
    try {
      reply = /** @type {Reply | null} */ (await json(`runs/${encodeURIComponent(id)}/events?from=${from}`));
    } catch {
      away(true);
      return AWAY_MS;
    }
    away(false);
    heard(reply);
    if (reply === null) return LATER_MS;
    const more = reply.next > from && reply.events.length > 0 && reply.next - reply.from > 100_000;
    from = reply.next;
    if (more) return 0;
    return ACTIVE.includes(reply.state) ? SOON_MS : LATER_MS;
  });
}
