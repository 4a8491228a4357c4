// @ts-check
// Snapshots of the milestones of a run: fetched one after the other, the one in view first, and
// kept: all of one sentence.
import { Model } from "../data/model.js";

/** @import { Meta, Words } from "../types" */
/** @import { Snapshot } from "./types" */

const BUSY_MS = 1000;

/**
 * {meta, array, focus, translation} of viz/inspector/payload.py's `framed`.
 * @param {ArrayBuffer} body
 * @returns {Snapshot}
 */
function unframed(body) {
  const length = new DataView(body).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
  return { ...head, array: new Uint8Array(body, 4 + length) };
}

/** Why the server cannot look at a sentence, instead of a look. */
const isRefusal = (/** @type {Response} */ reply) => reply.headers.get("content-type")?.startsWith("application/json");

export class Snapshots {
  /**
   * @param {string} run
   * @param {Words} text the words of the inspector
   * @param {{ source: string, target: string }} sentence and what all milestones read, "" lets each run freely
   * @param {(step: number) => void} arrived called when a snapshot arrives or cannot be had
   */
  constructor(run, text, { source, target }, arrived) {
    this.run = run;
    this.text = text;
    this.source = source;
    this.target = target;
    this.arrived = arrived;
    this.control = new AbortController();
    /** @type {Map<number, Snapshot>} */
    this.kept = new Map();
    /** @type {Map<number, Model>} */
    this.models = new Map();
    /** @type {Words | null} */
    this.refused = null; // why the server cannot look at this sentence: {en, ko}
    /** @type {Set<number>} */
    this.missing = new Set();
    this.busy = false;
    /** @type {number[]} */
    this.steps = [];
  }

  /**
   * Fetches what is not here yet: `first`, then the others in the order of `steps`.
   * @param {number[]} steps
   * @param {number | null} first
   */
  want(steps, first) {
    this.steps = first === null ? steps : [first, ...steps.filter((step) => step !== first)];
    if (!this.busy) this.work();
  }

  /** @param {number} step */
  get(step) {
    return this.kept.get(step);
  }

  /**
   * The reader of one snapshot's weights.
   * @param {number} step
   */
  model(step) {
    const snapshot = this.kept.get(step);
    if (snapshot && !this.models.has(step)) {
      const meta = /** @type {Meta} */ ({ ...snapshot.meta, ui: { text: this.text } });
      this.models.set(step, new Model(meta, snapshot.array));
    }
    return this.models.get(step);
  }

  async work() {
    this.busy = true;
    while (!this.control.signal.aborted && !this.refused) {
      const step = this.steps.find((one) => !this.kept.has(one) && !this.missing.has(one));
      if (step === undefined) break;
      await this.fetch(step);
    }
    this.busy = false;
  }

  /** @param {number} step */
  async fetch(step) {
    const { signal } = this.control;
    try {
      const reply = await fetch(this.address(step, this.target), { signal });
      if (reply.status === 202) return await new Promise((done) => setTimeout(done, BUSY_MS));
      if (!reply.ok) throw new Error(`status ${reply.status}`);
      if (isRefusal(reply)) this.refused = (await reply.json()).said;
      else this.kept.set(step, unframed(await reply.arrayBuffer()));
    } catch (error) {
      if (signal.aborted) return undefined;
      this.missing.add(step);
      console.warn(`milestone ${step}: ${error instanceof Error ? error.message : error}`);
    }
    if (!signal.aborted) this.arrived(step);
    return undefined;
  }

  /**
   * What a milestone writes freely for the sentence; "" where it cannot be said.
   * @param {number} step
   */
  async translation(step) {
    try {
      const reply = await fetch(this.address(step, ""), { signal: this.control.signal });
      return reply.status === 200 && !isRefusal(reply) ? unframed(await reply.arrayBuffer()).translation.trim() : "";
    } catch {
      return "";
    }
  }

  /**
   * @param {number} step
   * @param {string} target
   */
  address(step, target) {
    const query = new URLSearchParams({ source: this.source, ...(target ? { target } : {}) });
    return new URL(`runs/${encodeURIComponent(this.run)}/snapshots/${step}?${query}`, document.baseURI);
  }

  stop() {
    this.control.abort();
  }
}
