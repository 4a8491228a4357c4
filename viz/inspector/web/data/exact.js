// @ts-check
// Exact floats, fetched when what they belong to is looked at: content-addressed GETs, no rerun.
import { pooled } from "./pooled.js";
import { Memo } from "./memo.js";
import { Logits } from "./sampling.js";

/** @import { Candidates, Head, Kind, Site } from "../types" */

const KEPT = 12;
const REST_MS = 60; // while arrow keys run through heads or steps, nothing is asked for
const RETRY_MS = 5000;

const SURE = ["exact", "loading", "failed"];

/** Of what is computed from two: as sure as its less sure side. */
export const lessSure = (/** @type {string} */ one, /** @type {string} */ other) =>
  SURE[Math.max(SURE.indexOf(one), SURE.indexOf(other))];

/**
 * What lies at addresses of a snapshot; a subclass reads a body, or throws.
 * @template T
 */
class Exact {
  /**
   * @param {(path: string, signal?: AbortSignal) => Promise<ArrayBuffer>} ask
   * @param {(path: string) => void} arrived called when something arrives or fails
   */
  constructor(ask, arrived) {
    this.ask = ask;
    this.arrived = arrived;
    this.here = new Memo(KEPT);
    /** @type {Map<string, number>} */
    this.failed = new Map(); // when
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.wanted = "";
    /** @type {AbortController | null} */
    this.control = null;
  }

  /**
   * @param {string} path
   * @returns {T | undefined}
   */
  at(path) {
    return this.here.items.get(path);
  }

  /**
   * "exact", "loading" or "failed".
   * @param {string} path
   */
  standing(path) {
    if (this.here.items.has(path)) return "exact";
    return this.failed.has(path) ? "failed" : "loading";
  }

  /**
   * @param {string} path
   * @param {(body: ArrayBuffer) => T} read what is kept of it
   */
  rest(path, read) {
    if (path === this.wanted) return;
    this.stop();
    // wanted again later, it is asked for
    if (performance.now() - (this.failed.get(path) ?? -Infinity) < RETRY_MS) return;
    this.wanted = path;
    if (this.here.items.has(path)) return;
    this.failed.delete(path);
    this.timer = setTimeout(() => this.fetch(path, read), REST_MS);
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
    this.wanted = "";
  }

  /**
   * @param {string} path
   * @param {(body: ArrayBuffer) => T} read
   */
  async fetch(path, read) {
    const control = new AbortController();
    this.control = control;
    try {
      const body = await this.ask(path, control.signal);
      this.here.get(path, () => read(body));
    } catch (error) {
      if (control.signal.aborted) return;
      this.failed.set(path, performance.now());
      console.warn(`exact numbers of ${path}: ${error instanceof Error ? error.message : error}`);
    }
    this.arrived(path);
  }
}

/**
 * Heads. Body of {kind}/{layer}/{head} (from 0), all float32: weights (query, key), then, where the
 * trace has them, scores (query, key) and shares (head, query) of the layer; of a file that has no
 * room for these, weights alone.
 * @extends {Exact<{ weights: Float32Array, scores: Float32Array | null, shares: Float32Array | null }>}
 */
export class ExactHeads extends Exact {
  /**
   * @param {import("./model.js").Model} model
   * @param {(path: string) => void} arrived
   */
  constructor(model, arrived) {
    super((path, signal) => model.fetch(path, signal), arrived);
    this.model = model;
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  status(kind, layer, head) {
    return this.standing(`${kind}/${layer}/${head}`);
  }

  /**
   * {weights, scores, shares, status}: exact, or the packed weights alone until that is here.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @returns {Head}
   */
  head(kind, layer, head) {
    const exact = this.at(`${kind}/${layer}/${head}`);
    if (exact) return { ...exact, status: "exact" };
    const weights = this.model.weights(kind, layer, head);
    return { weights, scores: null, shares: null, status: this.status(kind, layer, head) };
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  want(kind, layer, head) {
    this.rest(`${kind}/${layer}/${head}`, (body) => this.read(body, this.model.site(kind), layer, head));
  }

  /**
   * @param {ArrayBuffer} body
   * @param {Site} site
   * @param {number} layer
   * @param {number} head
   */
  read(body, site, layer, head) {
    const cells = site.rows * site.columns;
    const whole = body.byteLength > 4 * cells;
    const [scored, shared] = whole ? [site.scores ? cells : 0, site.shares ? site.heads * site.rows : 0] : [0, 0];
    if (body.byteLength !== 4 * (cells + scored + shared))
      throw new Error(`${body.byteLength} bytes for ${cells} cells`);
    const weights = new Float32Array(body, 0, cells);
    const scores = scored ? new Float32Array(body, 4 * cells, scored) : null;
    const shares = shared ? new Float32Array(body, 4 * (cells + scored), shared) : null;
    // Another trace, layer or head under the same address must not be shown as this one.
    const packed = this.model.small(site.kind, layer, head);
    const covered = pooled(weights, site.rows, site.columns, packed.rows, packed.columns);
    for (let cell = 0; cell < covered.length; cell += 1) {
      if (!(Math.abs(covered[cell] - packed.values[cell]) <= site.error)) {
        throw new Error("the numbers differ from the packed ones");
      }
    }
    return { weights, scores, shares };
  }
}

const NEAR = 1e-6; // between probabilities of the same logits, computed here and there

/**
 * Logits. Body of logits/{step} (from 0): float32, one vocabulary row.
 * @extends {Exact<Logits>}
 */
export class ExactLogits extends Exact {
  /**
   * @param {(path: string, signal?: AbortSignal) => Promise<ArrayBuffer>} ask
   * @param {(step: number) => Candidates | null} next the candidates that the trace lists (model.js)
   * @param {(path: string) => void} arrived
   */
  constructor(ask, next, arrived) {
    super(ask, arrived);
    this.next = next;
  }

  /** @param {number} step */
  get(step) {
    return this.at(`logits/${step}`);
  }

  /** @param {number} step */
  status(step) {
    return this.standing(`logits/${step}`);
  }

  /** @param {number} step that the trace lists candidates of */
  want(step) {
    const listed = this.next(step);
    if (listed) this.rest(`logits/${step}`, (body) => this.read(body, listed));
  }

  /**
   * @param {ArrayBuffer} body
   * @param {Candidates} listed
   */
  read(body, { items, others }) {
    if (body.byteLength !== 4 * (items.length + others)) {
      throw new Error(`${body.byteLength} bytes for ${items.length + others} tokens`);
    }
    const logits = new Logits(new Float32Array(body));
    const { probability } = logits.shaped();
    if (!items.every(({ id, p }) => Math.abs(probability(id) - p) <= NEAR)) {
      throw new Error("the numbers differ from the listed ones");
    }
    return logits;
  }
}
