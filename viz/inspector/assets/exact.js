// Exact floats of one head, fetched when it is looked at: content-addressed GETs, no rerun.
// Body of trace/{trace_id}/{kind}/{layer}/{head} (from 0): float32 weights (query, key),
// then float32 scores where the model has them.
import { pooled } from "./paint.js";

const KEPT = 12;
const REST_MS = 60; // while arrow keys run through the heads, nothing is asked for
const RETRY_MS = 5000;

export class ExactHeads {
  /** @param {(key: string) => void} arrived called when a head arrives or fails */
  constructor(model, arrived) {
    this.model = model;
    this.arrived = arrived;
    this.heads = new Map();
    this.failed = new Map();
    this.timer = 0;
    this.wanted = "";
    this.control = null;
  }

  /** {weights, scores} or undefined. */
  get(kind, layer, head) {
    return this.heads.get(`${kind}/${layer}/${head}`);
  }

  /** "exact", "loading" or "failed". */
  status(kind, layer, head) {
    const key = `${kind}/${layer}/${head}`;
    if (this.heads.has(key)) return "exact";
    return this.failed.has(key) ? "failed" : "loading";
  }

  want(kind, layer, head) {
    const key = `${kind}/${layer}/${head}`;
    if (key === this.wanted) return;
    this.stop();
    this.wanted = key;
    if (this.heads.has(key)) return;
    if (performance.now() - (this.failed.get(key) ?? -Infinity) < RETRY_MS) return;
    this.failed.delete(key);
    this.timer = setTimeout(() => this.fetch(key, this.model.sites.get(kind), layer, head), REST_MS);
  }

  stop() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
    this.wanted = "";
  }

  async fetch(key, site, layer, head) {
    const control = new AbortController();
    this.control = control;
    try {
      const body = await this.model.fetch(key, control.signal);
      this.keep(key, this.read(body, site, layer, head));
    } catch (error) {
      if (control.signal.aborted) return;
      this.failed.set(key, performance.now());
      console.warn(`exact numbers of ${key}: ${error.message}`);
    }
    this.arrived(key);
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

  keep(key, head) {
    if (this.heads.size >= KEPT) this.heads.delete(this.heads.keys().next().value);
    this.heads.set(key, head);
  }
}
