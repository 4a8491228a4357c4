// @ts-check
// Words instead of pieces: what a head puts on the pieces of a word is added up, and what the
// pieces of a word put is averaged, so that rows still sum to 1. Derived numbers, and said so;
// the slow twin is `word_weights` of tests/twins.
import { isSpace, joined } from "./dom.js";
import { isDecoder, Seen } from "../data/seen.js";

/** @import { Kind, Token } from "../types" */
/** @import { Model } from "../data/model.js" */
/**
 * Which word each token is of, and the first token of each word, and one past the last.
 * @typedef {{ of: Int32Array, first: number[] }} Units
 */

const BYTE = /^<0x([0-9A-F]{2})>$/;

/**
 * @param {Token[]} tokens
 * @returns {Units}
 */
export function wordsOf(tokens) {
  /** @type {number[]} */
  const first = [];
  const of = Int32Array.from(tokens, (token, at) => {
    if (!token.joint) first.push(at);
    return first.length - 1;
  });
  return { of, first: [...first, tokens.length] };
}

/** Is there a word of more than one piece? */
export const hasPieces = (
  /** @type {{ source: Token[], read: Token[], written: Token[] }} */ { source, read, written },
) => [source, read, written].some((tokens) => tokens.some(({ joint }) => joint));

/**
 * Pieces as the word that they spell: bytes as the characters that they are parts of.
 * @param {Token[]} tokens
 */
export function spelt(tokens) {
  /** @type {Token[]} */
  const letters = [];
  /** @type {number[]} */
  let bytes = [];
  const close = () => {
    const text = new TextDecoder().decode(Uint8Array.from(bytes));
    if (bytes.length) letters.push({ piece: "", text, joint: true, special: false, dash: false });
    bytes = [];
  };
  for (const token of tokens) {
    const byte = BYTE.exec(token.piece);
    if (byte) bytes.push(parseInt(byte[1], 16));
    else {
      close();
      if (!isSpace(token)) letters.push({ ...token, joint: true });
    }
  }
  close();
  return joined(letters);
}

/**
 * @param {Token[]} tokens
 * @param {Units} units
 * @returns {Token[]}
 */
function named(tokens, { first }) {
  return first.slice(0, -1).map((from, word) => {
    const own = tokens.slice(from, first[word + 1]);
    return own.length === 1 ? own[0] : { ...own[0], text: spelt(own), dash: false, joint: false };
  });
}

/**
 * Float32Array (word, word) of weights (query, key): keys added, queries averaged over those
 * that may look at anything, or were made to. Queries from `skip` to the end of their word are
 * left out.
 * @param {Float32Array} weights
 * @param {Uint8Array} open 1 where they may look
 * @param {Units} rows
 * @param {Units} columns
 */
export function summed(weights, open, rows, columns, skip = Infinity) {
  const [tall, wide, across] = [rows.first.length - 1, columns.first.length - 1, columns.of.length];
  const sums = new Float64Array(tall * wide);
  for (let row = 0; row < tall; row += 1) {
    const end = rows.first[row + 1];
    const until = skip > rows.first[row] && skip < end ? skip : end;
    let looking = 0;
    for (let query = rows.first[row]; query < until; query += 1) {
      let total = 0;
      for (let column = 0, key = query * across; column < wide; column += 1) {
        const beyond = query * across + columns.first[column + 1];
        let share = 0;
        for (; key < beyond; key += 1) share += weights[key];
        sums[row * wide + column] += share;
        total += share;
      }
      if (total > 0 || open.subarray(query * across, (query + 1) * across).includes(1)) looking += 1;
    }
    for (let at = row * wide; looking > 1 && at < (row + 1) * wide; at += 1) sums[at] /= looking;
  }
  return new Float32Array(sums); // `from` walks an iterator, several times as slow
}

/**
 * The largest value between each two words, for values that are no sums themselves; `skip` as above.
 * @template {Float32Array | Uint8Array} Values
 * @param {Values} values
 * @param {Units} rows
 * @param {Units} columns
 * @returns {Values}
 */
export function peaks(values, rows, columns, skip = Infinity) {
  const wide = columns.first.length - 1;
  const size = (rows.first.length - 1) * wide;
  const out = /** @type {Values} */ (values instanceof Float32Array ? new Float32Array(size) : new Uint8Array(size));
  for (let row = 0, from = 0; row < rows.of.length; row += 1) {
    if (row >= skip && row < rows.first[rows.of[skip] + 1]) {
      from += columns.of.length;
      continue;
    }
    for (let column = 0; column < columns.of.length; column += 1, from += 1) {
      const at = rows.of[row] * wide + columns.of[column];
      if (values[from] > out[at]) out[at] = values[from];
    }
  }
  return out;
}

/** A trace whose rows and columns are words; `pieces` is the one it is made from. */
export class Words extends Seen {
  /** @param {Model} pieces */
  constructor(pieces) {
    const units = { source: wordsOf(pieces.source), read: wordsOf(pieces.read), written: wordsOf(pieces.written) };
    const { source, read, written } = units;
    const sizes = (/** @type {Kind} */ kind) => ({
      rows: (isDecoder(kind) ? written : source).first.length - 1,
      columns: (kind === "decoder_self" ? read : source).first.length - 1,
    });
    super(
      {
        source: named(pieces.source, source),
        keysRead: named(pieces.read, read),
        written: named(pieces.written, written),
        // What the pieces of a written word read, one after the other.
        read: written.first.slice(0, -1).map((from, word) => {
          const own = pieces.read.slice(from, written.first[word + 1]);
          return own.length === 1
            ? own[0]
            : { ...own[0], text: own.map(({ text }) => text).join(" · "), special: false, dash: false };
        }),
      },
      new Map([...pieces.sites].map(([kind, site]) => [kind, { ...site, ...sizes(kind) }])),
    );
    this.pieces = pieces;
    this.units = units;
    this.steps = pieces.steps;
    /** @typedef {{ weights: Float32Array, scores: null, shares: null, cut: number, sums: boolean }} Regrouped */
    /** @type {WeakMap<Float32Array, Regrouped>} */
    this.regrouped = new WeakMap();
  }

  /** @type {Seen["has"]} */
  has(kind) {
    return this.pieces.has(kind);
  }

  /** @type {Seen["load"]} */
  load(kind) {
    return this.pieces.load(kind);
  }

  /** @param {Kind} kind */
  rowUnits(kind) {
    return isDecoder(kind) ? this.units.written : this.units.source;
  }

  /** @param {Kind} kind */
  columnUnits(kind) {
    return kind === "decoder_self" ? this.units.read : this.units.source;
  }

  /** @type {Seen["rowsAt"]} */
  rowsAt(kind, step) {
    return isDecoder(kind) && step !== null ? this.units.written.of[step] + 1 : this.site(kind).rows;
  }

  /** @type {Seen["maskOf"]} */
  maskOf(kind, layer, head) {
    return this.pieces.maskOf(kind, layer, head);
  }

  /** @type {Seen["mask"]} */
  mask(kind, layer, head) {
    const open = this.pieces.allowed(kind, layer, head);
    return peaks(open, this.rowUnits(kind), this.columnUnits(kind));
  }

  /** @param {Kind} kind */
  coarse(kind) {
    return this.pieces.coarse(kind);
  }

  /** @type {Model["weights"]} */
  weights(kind, layer, head) {
    return this.small(kind, layer, head).values;
  }

  /** @type {Seen["small"]} */
  small(kind, layer, head) {
    const { rows, columns } = this.site(kind);
    const [tall, wide] = [this.rowUnits(kind), this.columnUnits(kind)];
    const values = this.coarse(kind)
      ? peaks(this.pieces.weights(kind, layer, head), tall, wide)
      : summed(this.pieces.small(kind, layer, head).values, this.pieces.allowed(kind, layer, head), tall, wide);
    return { values, rows, columns };
  }

  /** @type {Seen["head"]} `cut` tells steps apart that end within a word */
  head(kind, layer, head, { weights, status }, step) {
    const [tall, wide] = [this.rowUnits(kind), this.columnUnits(kind)];
    const cut = isDecoder(kind) && step !== null && !tall.first.includes(step + 1) ? step + 1 : Infinity;
    const known = this.regrouped.get(weights);
    if (known?.cut === cut) return { ...known, status }; // packed weights that load may fail to
    const sums = status === "exact" || !this.coarse(kind);
    const regrouped = sums
      ? summed(weights, this.pieces.allowed(kind, layer, head), tall, wide, cut)
      : peaks(weights, tall, wide, cut);
    const made = { weights: regrouped, scores: null, shares: null, cut, sums };
    this.regrouped.set(weights, made);
    return { ...made, status };
  }

  /** @type {Seen["shownAt"]} cell of words that a cell of pieces lies in */
  shownAt(kind, [row, column]) {
    return [this.rowUnits(kind).of[row] ?? -1, this.columnUnits(kind).of[column] ?? -1];
  }

  /** @type {Seen["pieceAt"]} the first cell of pieces in a cell of words */
  pieceAt(kind, [row, column]) {
    return [this.rowUnits(kind).first[row] ?? -1, this.columnUnits(kind).first[column] ?? -1];
  }

  /** @type {Seen["stepAt"]} the step at which a row is written to its end */
  stepAt(row) {
    return this.units.written.first[row + 1] - 1;
  }

  /** @type {Seen["counts"]} of queries those that `summed` averages */
  counts(kind, [row, column], step, [layer, head]) {
    const [rows, columns] = [this.rowUnits(kind).first, this.columnUnits(kind).first];
    const end =
      isDecoder(kind) && step !== null ? Math.min(rows[row + 1], Math.max(step, rows[row]) + 1) : rows[row + 1];
    const [open, weights] = [this.pieces.allowed(kind, layer, head), this.pieces.weights(kind, layer, head)];
    const across = this.columnUnits(kind).of.length;
    let queries = 0;
    for (let query = rows[row]; query < end; query += 1) {
      const [from, to] = [query * across, (query + 1) * across];
      if (open.subarray(from, to).includes(1) || weights.subarray(from, to).some(Boolean)) queries += 1;
    }
    return { queries, keys: columns[column + 1] - columns[column] };
  }
}
