// Reads what viz/inspector/pack.py packed. Weights come out as Float32Array, row-major
// (query, key); layers, heads and rows count from 0 in here.

const LEVELS = 255;
const KEPT = 16; // decoded heads; 512 x 512 floats are 1 MB each

export const isDecoder = (kind) => kind !== "encoder_self";

/** Bytes from an Arrow table of one column, or from a typed array. */
export function bytesOf(array) {
  if (array === undefined || array === null) return new Uint8Array(0);
  if (ArrayBuffer.isView(array)) return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return array.getChildAt(0).toArray();
}

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Special pieces that the app has a word for, in its language; others keep their text. */
const specialNames = (words) => new Map([
  ["<s>", words.special_start], ["</s>", words.special_end], ["<pad>", words.special_pad], ["<unk>", words.special_unknown],
]);

/**
 * Tokens from their columns. `joint` ones carry on the word of the token before them; `dash`
 * says that a mark shall show it, which is noise where a model spells letter by letter.
 */
export function tokensOf({ text, piece, special, word }, words) {
  const names = specialNames(words);
  const letters = piece.filter((spelling, at) => !special[at] && Array.from(spelling).length === 1).length;
  const spelt = letters > 0.8 * special.filter((is) => !is).length;
  return text.map((shown, at) => {
    const joint = at > 0 && word[at] >= 0 && word[at] === word[at - 1];
    const name = special[at] ? names.get(piece[at]) : undefined;
    return { text: name ?? shown, piece: piece[at], special: special[at], joint, dash: joint && !spelt };
  });
}

export class Model {
  constructor(meta, bytes) {
    this.meta = meta;
    this.bytes = bytes;
    this.source = tokensOf(meta.source, meta.ui.text);
    this.read = tokensOf(meta.read, meta.ui.text);
    this.written = tokensOf(meta.written, meta.ui.text);
    this.sites = new Map(meta.sites.map((site) => [site.kind, site]));
    this.kinds = [...this.sites.keys()];
    this.steps = this.written.length;
    this.decoded = new Map();
    this.masks = new Map();
    this.opened = new Map();
  }

  /** Labels of the query axis: what a decoder row writes. */
  queries(kind) {
    return isDecoder(kind) ? this.written : this.source;
  }

  /** Labels of the key axis: tokens that were read. */
  keys(kind) {
    return kind === "decoder_self" ? this.read : this.source;
  }

  /** How many rows of `kind` exist at `step` (from 0; null for all): stepping is slicing. */
  rowsAt(kind, step) {
    const site = this.sites.get(kind);
    return isDecoder(kind) && step !== null ? Math.min(step + 1, site.rows) : site.rows;
  }

  /** Uint8Array (query, key), 1 = may attend. */
  allowed(kind) {
    let mask = this.masks.get(kind);
    if (mask === undefined) {
      const site = this.sites.get(kind);
      mask = new Uint8Array(site.rows * site.columns);
      for (let cell = 0; cell < mask.length; cell += 1) {
        mask[cell] = (this.bytes[site.allowed + (cell >> 3)] >> (cell & 7)) & 1;
      }
      this.masks.set(kind, mask);
    }
    return mask;
  }

  /** How many cells may be looked at in the first `rows` rows. */
  openCells(kind, rows) {
    let sums = this.opened.get(kind);
    if (sums === undefined) {
      const { rows: all, columns } = this.sites.get(kind);
      const mask = this.allowed(kind);
      sums = new Int32Array(all + 1);
      for (let row = 0, at = 0; row < all; row += 1) {
        sums[row + 1] = sums[row];
        for (const end = at + columns; at < end; at += 1) sums[row + 1] += mask[at];
      }
      this.opened.set(kind, sums);
    }
    return sums[rows];
  }

  /** Does the mask forbid anything in the first `rows` rows? */
  forbids(kind, rows = this.sites.get(kind).rows) {
    return this.openCells(kind, rows) < rows * this.sites.get(kind).columns;
  }

  /** Packed weights of one head, decoded; within `meta.weight_error` of the tensor's. */
  weights(kind, layer, head) {
    const key = `${kind}/${layer}/${head}`;
    let values = this.decoded.get(key);
    if (values === undefined) {
      values = this.decode(this.sites.get(kind), layer, head);
      if (this.decoded.size >= KEPT) this.decoded.delete(this.decoded.keys().next().value);
    } else {
      this.decoded.delete(key); // reinserted below: the oldest leaves first
    }
    this.decoded.set(key, values);
    return values;
  }

  decode(site, layer, head) {
    const { rows, columns } = site;
    const index = layer * site.heads + head;
    const values = new Float32Array(rows * columns);
    const codes = site.codes + index * rows * columns;
    for (let row = 0; row < rows; row += 1) {
      const scale = this.maximum(site, index * rows + row) / (LEVELS * LEVELS);
      const start = row * columns;
      for (let column = 0; column < columns; column += 1) {
        const code = this.bytes[codes + start + column];
        values[start + column] = code * code * scale;
      }
    }
    return values;
  }

  maximum(site, row) {
    const at = site.maxima + 2 * row;
    return half(this.bytes[at] | (this.bytes[at + 1] << 8));
  }

  trait(kind, name, layer, head) {
    return this.sites.get(kind).traits[name][layer][head];
  }

  /** Names of what `trait` knows of this kind. */
  traitsOf(kind) {
    return Object.keys(this.sites.get(kind).traits);
  }

  /** Next-token candidates of a step, most likely first, or null. */
  next(step) {
    return candidates(this.meta.next, step, this.meta.ui.text);
  }
}

/** {items: [{text, special, p, chosen}], the written token among them; others: how many more; rank}. */
export function candidates(next, step, words) {
  const entry = next?.[step];
  if (entry === undefined) return null;
  const names = specialNames(words);
  const items = entry.texts.map((text, index) => ({
    text: names.get(entry.specials[index]) ?? text,
    special: entry.specials[index] !== null,
    p: entry.p[index],
    chosen: index === entry.chosen,
  }));
  return { items, others: entry.others, rank: entry.rank, chosen: items[entry.chosen] ?? null };
}
