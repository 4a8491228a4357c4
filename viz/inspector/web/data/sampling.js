// @ts-check
// What temperature, top-k and top-p make of a next-token distribution, over the whole vocabulary.
// Temperature divides the logits; top-k keeps the k largest, of equal ones those that come
// first; top-p (Holtzman et al., 2020) keeps of these the fewest whose share reaches p; what is
// kept is made to sum to 1 again.

const IDS = 2 ** 20; // ids and 32 bits of a logit fit one float64: numbers sort fastest

/** As they are: temperature 1, and `topK` 0 and `topP` 1 cut nothing. */
export const PLAIN = Object.freeze({ temperature: 1, topK: 0, topP: 1 });

/** @param {import("../types").Shape} shape */
export const isPlain = ({ temperature, topK, topP }) => temperature === 1 && topK === 0 && topP === 1;

/** One vocabulary row; temperature changes no order, so it is sorted once. */
export class Logits {
  /** @param {Float32Array} values */
  constructor(values) {
    this.values = values;
    this.order = sorted(values);
    this.place = new Uint32Array(values.length);
    for (let place = 0; place < values.length; place += 1) this.place[this.order[place]] = place;
  }

  /** {kept: how many tokens are left, probability: (id) => 0 for one that is cut}. */
  shaped({ temperature, topK, topP } = PLAIN) {
    const { values, order, place } = this;
    const most = topK > 0 ? Math.min(topK, order.length) : order.length;
    const largest = values[order[0]];
    const odds = new Float64Array(most);
    let total = 0;
    for (let at = 0; at < most; at += 1) {
      odds[at] = Math.exp((values[order[at]] - largest) / temperature);
      total += odds[at];
    }
    let kept = most;
    if (topP < 1) {
      const enough = topP * total;
      for (kept = 0, total = 0; kept < most && (kept === 0 || total < enough); kept += 1) total += odds[kept];
    }
    return { kept, probability: (/** @type {number} */ id) => (place[id] < kept ? odds[place[id]] / total : 0) };
  }
}

/**
 * Ids, largest logit first, of equal ones the smaller id first.
 * @param {Float32Array} values
 */
function sorted(values) {
  if (values.length > IDS) throw new Error(`${values.length} tokens are more than ${IDS}`);
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  const keys = new Float64Array(values.length);
  for (let id = 0; id < keys.length; id += 1) {
    const raw = values[id] === 0 ? 0 : bits[id]; // -0 is no less than 0
    const ascending = raw & 0x80000000 ? ~raw >>> 0 : (raw | 0x80000000) >>> 0;
    keys[id] = (0xffffffff - ascending) * IDS + id;
  }
  keys.sort();
  const ids = new Uint32Array(keys.length);
  for (let at = 0; at < ids.length; at += 1) ids[at] = keys[at] % IDS;
  return ids;
}
