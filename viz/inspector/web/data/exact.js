// Exact floats, fetched when what they belong to is looked at: content-addressed GETs, no rerun.
import { pooled } from "../views/paint.js";
import { Logits } from "./sampling.js";

const KEPT = 12;
const REST_MS = 60; // while arrow keys run through heads or steps, nothing is asked for
const RETRY_MS = 5000;

const SURE = ["exact", "loading", "failed"];

/** Of what is computed from two: as sure as its less sure side. */
export const lessSure = (one, other) => SURE[Math.max(SURE.indexOf(one), SURE.indexOf(other))];

/** What lies at addresses of a snapshot; a subclass reads a body, or throws. */
class Exact {
  /**
   * @param ask (path, signal) => bytes
   * @param {(path: string) => void} arrived called when something arrives or fails
   */
  constructor(ask, arrived) {
    this.ask = ask;
    this.arrived = arrived;
    this.here = new Map();
    this.failed = new Map();
    this.timer = 0;
    this.wanted = "";
    this.control = null;
  }

  at(path) {
    return this.here.get(path);
  }

  /** "exact", "loading" or "failed". */
  standing(path) {
    if (this.here.has(path)) return "exact";
    return this.failed.has(path) ? "failed" : "loading";
  }

  /** @param read (body) => what is kept */
  rest(path, read) {
    if (path === this.wanted) return;
    this.stop();
    if (performance.now() - (this.failed.get(path) ?? -Infinity) < RETRY_MS) return; // wanted again later, it is asked for
    this.wanted = path;
    if (this.here.has(path)) return;
    this.failed.delete(path);
    this.timer = setTimeout(() => this.fetch(path, read), REST_MS);
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
    this.wanted = "";
  }

  async fetch(path, read) {
    const control = new AbortController();
    this.control = control;
    try {
      this.keep(path, read(await this.ask(path, control.signal)));
    } catch (error) {
      if (control.signal.aborted) return;
      this.failed.set(path, performance.now());
      console.warn(`exact numbers of ${path}: ${error.message}`);
    }
    this.arrived(path);
  }

  keep(path, value) {
    if (this.here.size >= KEPT) this.here.delete(this.here.keys().next().value);
    this.here.set(path, value);
  }
}

/**
 * Heads. Body of {kind}/{layer}/{head} (from 0): float32 weights (query, key), then float32
 * scores where the model has them.
 */
export class ExactHeads extends Exact {
  constructor(model, arrived) {
    super((path, signal) => model.fetch(path, signal), arrived);
    this.model = model;
  }

  /** {weights, scores} or undefined. */
  get(kind, layer, head) {
    return this.at(`${kind}/${layer}/${head}`);
  }

  status(kind, layer, head) {
    return this.standing(`${kind}/${layer}/${head}`);
  }

  want(kind, layer, head) {
    this.rest(`${kind}/${layer}/${head}`, (body) => this.read(body, this.model.sites.get(kind), layer, head));
  }

  read(body, site, layer, head) {
    const cells = site.rows * site.columns;
    if (body.byteLength !== cells * 4 && body.byteLength !== cells * 8) {
      throw new Error(`${body.byteLength} bytes for ${cells} cells`);
    }
    const weights = new Float32Array(body, 0, cells);
    const scores = body.byteLength === cells * 8 ? new Float32Array(body, cells * 4, cells) : null;
    // Another trace, layer or head under the same address must not be shown as this one.
    const packed = this.model.small(site.kind, layer, head);
    const covered = pooled(weights, site.rows, site.columns, packed.rows, packed.columns);
    for (let cell = 0; cell < covered.length; cell += 1) {
      if (!(Math.abs(covered[cell] - packed.values[cell]) <= site.error)) {
        throw new Error("the numbers differ from the packed ones");
      }
    }
    return { weights, scores };
  }
}

const NEAR = 1e-6; // between probabilities of the same logits, computed here and there

/** Logits. Body of logits/{step} (from 0): float32, one vocabulary row. */
export class ExactLogits extends Exact {
  /** @param next (step) => the candidates that the trace lists (model.js) */
  constructor(ask, next, arrived) {
    super(ask, arrived);
    this.next = next;
  }

  get(step) {
    return this.at(`logits/${step}`);
  }

  status(step) {
    return this.standing(`logits/${step}`);
  }

  want(step) {
    this.rest(`logits/${step}`, (body) => this.read(body, this.next(step)));
  }

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
