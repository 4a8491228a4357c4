// @ts-check
// Two traces laid over each other. A place holds a token of the first, of the second, or the two
// that belong together (viz/inspector/pair.py); rows and columns of the difference are places.
import { Memo } from "../data/memo.js";
import { isDecoder, Seen } from "../data/seen.js";
import { visible } from "../data/text.js";
import { hasPieces, Words } from "../views/units.js";

/** @import { Kind, Site, Small, Token } from "../types" */
/** @import { Model } from "../data/model.js" */
/** @import { Alignment, Pairs } from "./types" */

const EMPTY = { text: "", piece: "", special: false, joint: false, dash: false };

/**
 * One label for what stands in one place: once, where both say the same.
 * @param {Token | undefined} a
 * @param {Token | undefined} b
 */
export function merged(a, b) {
  if (a === undefined || b === undefined) return a ?? b ?? EMPTY;
  if (a.text === b.text && a.special === b.special) return a;
  return { ...a, text: `${visible(a.text)} / ${visible(b.text)}`, special: a.special && b.special };
}

/**
 * Where each token of one side stands.
 * @param {Pairs} alignment
 * @param {number} side
 */
function placesOf(alignment, side) {
  /** @type {number[]} */
  const places = [];
  alignment.forEach((pair, place) => {
    if (pair[side] >= 0) places[pair[side]] = place;
  });
  return places;
}

/**
 * What the weights of a row are parts of, and what of it goes to no key.
 * @param {Float32Array} weights (query, key)
 * @param {number} row
 * @param {number} columns
 * @param {boolean} loose with a sink, or with weights that were put in: others sum to 1, or are none
 */
function sumOf(weights, row, columns, loose) {
  const own = weights.subarray(row * columns, (row + 1) * columns);
  const sum = own.reduce((all, value) => all + value, 0);
  if (!loose) return { whole: 1, lost: sum > 0 ? 0 : 1 }; // packed, they are near 1
  return { whole: Math.max(1, sum), lost: Math.max(0, 1 - sum) };
}

/** Pairs of places along the rows, and along the columns, of a kind: [of the first, of the second]. */
const rowsOf = (/** @type {Kind} */ kind, /** @type {Alignment} */ alignment) =>
  alignment[isDecoder(kind) ? "written" : "source"];
const columnsOf = (/** @type {Kind} */ kind, /** @type {Alignment} */ alignment) =>
  alignment[kind === "decoder_self" ? "read" : "source"];

/**
 * Kinds that both have, at the size that they have in places; of what is packed there is nothing.
 * @param {Seen[]} models
 * @param {Alignment} alignment
 * @returns {Map<Kind, Site>}
 */
function sitesOf([first, second], alignment) {
  const shared = first.kinds.filter((kind) => second.sites.has(kind));
  return new Map(
    shared.map((kind) => {
      const { layers, heads } = first.site(kind);
      const [rows, columns] = [rowsOf(kind, alignment).length, columnsOf(kind, alignment).length];
      return [kind, /** @type {Site} */ ({ kind, layers, heads, rows, columns, traits: {} })];
    }),
  );
}

/** @template {Model | Words} Trace */
export class Both extends Seen {
  /**
   * @param {Trace[]} models the first and the second
   * @param {Alignment} alignment
   * @param {Alignment | null} words how their words belong together, null where they are words
   */
  constructor(models, alignment, words = null) {
    const [first, second] = models;
    const laid = (/** @type {keyof Alignment} */ name, /** @type {keyof Alignment | "keysRead"} */ of = name) =>
      alignment[name].map(([a, b]) => merged(first[of][a], second[of][b]));
    super(
      {
        source: laid("source"),
        keysRead: laid("read", "keysRead"),
        read: laid("written", "read"), // what the rows read, by what they write
        written: laid("written"),
      },
      sitesOf(models, alignment),
    );
    /** @type {Both<Words> | null} */
    this.inWords = null;
    if (words && models.some(hasPieces)) {
      const inWords = models.map((model) => new Words(/** @type {Model} */ (model)));
      this.inWords = new Both(inWords, words);
    }
    this.models = models;
    this.alignment = alignment;
    /** @type {Record<string, number[][]>} */
    this.places = Object.fromEntries(
      Object.entries(alignment).map(([name, pairs]) => [name, [0, 1].map((side) => placesOf(pairs, side))]),
    );
    this.steps = 0; // every row is shown
    this.changes = new Memo(Infinity);
  }

  /** @param {Kind} kind */
  async load(kind) {
    await Promise.all(this.models.map((model) => model.load(kind)));
  }

  /** @param {Kind} kind */
  has(kind) {
    return this.models.every((model) => model.has(kind));
  }

  /** @param {Kind} kind */
  rowPairs(kind) {
    return rowsOf(kind, this.alignment);
  }

  /** @param {Kind} kind */
  columnPairs(kind) {
    return columnsOf(kind, this.alignment);
  }

  /**
   * Have both as many layers and heads of this kind?
   * @param {Kind} kind
   */
  alike(kind) {
    const [a, b] = this.models.map((model) => model.site(kind));
    return a.layers === b.layers && a.heads === b.heads;
  }

  /**
   * The cell of one side in these places; -1 where it has none.
   * @param {Kind} kind
   * @param {number} side
   * @param {number[]} places
   */
  cellAt(kind, side, [row, column]) {
    return [this.rowPairs(kind)[row]?.[side] ?? -1, this.columnPairs(kind)[column]?.[side] ?? -1];
  }

  /**
   * The places of a cell of one side; -1 stays.
   * @param {Kind} kind
   * @param {number} side
   * @param {number[]} cell
   */
  placeOf(kind, side, [row, column]) {
    const rows = this.places[isDecoder(kind) ? "written" : "source"][side];
    const columns = this.places[kind === "decoder_self" ? "read" : "source"][side];
    return [rows[row] ?? -1, columns[column] ?? -1];
  }

  /**
   * [layer, head] of either; the second's are the first's, unless it goes its own way, as far as it has them.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} other
   * @returns {[number, number][]}
   */
  heads(kind, layer, head, other) {
    return this.models.map((model, side) => {
      const { layers, heads } = model.site(kind);
      const [l, n] = side === 1 && other ? other : [layer, head];
      return [Math.min(l, layers - 1), Math.min(n, heads - 1)];
    });
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [other]
   */
  maskOf(kind, layer, head, other = null) {
    const heads = this.heads(kind, layer, head, other);
    return this.models.map((model, side) => model.maskOf(kind, ...heads[side])).join(" ");
  }

  /** @type {Seen["isPut"]} of one of the two heads */
  isPut(kind, layer, head, other = null) {
    const heads = this.heads(kind, layer, head, other);
    return this.models.some((model, side) => model.isPut(kind, ...heads[side]));
  }

  /**
   * 1 where both have the cell and one of the two heads may look there.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @param {number[] | null} [other]
   */
  mask(kind, layer, head, other = null) {
    const heads = this.heads(kind, layer, head, other);
    const open = this.models.map((model, side) => model.allowed(kind, ...heads[side]));
    const mask = new Uint8Array(this.rowPairs(kind).length * this.columnPairs(kind).length);
    this.each(kind, (place, cellA, cellB) => {
      mask[place] = open[0][cellA] | open[1][cellB];
    });
    return mask;
  }

  /**
   * How many rows both have.
   * @param {Kind} kind
   */
  sharedRows(kind) {
    return this.rowPairs(kind).filter(([a, b]) => a >= 0 && b >= 0).length;
  }

  /**
   * Calls with every cell that both have: (in places, of the first, of the second).
   * @param {Kind} kind
   * @param {(place: number, cellA: number, cellB: number) => void} visit
   */
  each(kind, visit) {
    const [rows, columns] = [this.rowPairs(kind), this.columnPairs(kind)];
    const [strideA, strideB] = this.models.map((model) => model.site(kind).columns);
    rows.forEach(([a, b], row) => {
      if (a < 0 || b < 0) return;
      for (let column = 0; column < columns.length; column += 1) {
        const [c, d] = columns[column];
        if (c >= 0 && d >= 0) visit(row * columns.length + column, a * strideA + c, b * strideB + d);
      }
    });
  }

  /**
   * Float32Array in places: what the second has less the first, 0 where one has no such cell.
   * @param {Kind} kind
   * @param {Float32Array} first
   * @param {Float32Array} second
   */
  minus(kind, first, second) {
    const out = new Float32Array(this.rowPairs(kind).length * this.columnPairs(kind).length);
    this.each(kind, (place, cellA, cellB) => {
      out[place] = second[cellB] - first[cellA];
    });
    return out;
  }

  /**
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   * @returns {Small}
   */
  small(kind, layer, head) {
    const [a, b] = this.models.map((model) => model.weights(kind, layer, head));
    const { rows, columns } = this.site(kind);
    return { values: this.minus(kind, a, b), rows, columns };
  }

  /**
   * How much of its attention the second's head has elsewhere than the first's: the total
   * variation distance of two rows, 0 to 1, averaged over the rows that both have. What lies on
   * a token that the other has not lies elsewhere, and so does what goes to no key in one alone;
   * of a row that was made to sum to more than 1, its shares count.
   * Null where the packed weights are no sums.
   * @param {Kind} kind
   * @param {number} layer
   * @param {number} head
   */
  change(kind, layer, head) {
    if (this.models.some((model) => model.coarse(kind))) return null;
    return this.changes.get(`${kind}/${layer}/${head}`, () => {
      const [first, second] = this.models.map((model) => model.small(kind, layer, head).values);
      const loose = this.models.map((model) => {
        const { sink, forced } = model.site(kind);
        return sink || Boolean(forced?.[layer][head].length);
      });
      return this.distance(kind, [first, second], loose);
    });
  }

  /**
   * @param {Kind} kind
   * @param {Float32Array[]} weights of the first and of the second
   * @param {boolean[]} loose whether their rows may sum to what they will
   */
  distance(kind, [first, second], loose) {
    const [rows, columns] = [this.rowPairs(kind).filter(([a, b]) => a >= 0 && b >= 0), this.columnPairs(kind)];
    const [strideA, strideB] = this.models.map((model) => model.site(kind).columns);
    let moved = 0;
    for (const [a, b] of rows) {
      const [sumA, sumB] = [sumOf(first, a, strideA, loose[0]), sumOf(second, b, strideB, loose[1])];
      moved += Math.abs(sumB.lost - sumA.lost);
      for (const [c, d] of columns) {
        const [one, other] = [c < 0 ? 0 : first[a * strideA + c], d < 0 ? 0 : second[b * strideB + d]];
        moved += Math.abs(other / sumB.whole - one / sumA.whole);
      }
    }
    return rows.length ? Math.min(1, moved / 2 / rows.length) : 0;
  }

  /**
   * Heads [layer, head] by how much they changed, most first; null where that is not known.
   * @param {Kind} kind
   */
  ranking(kind) {
    const { layers, heads } = this.site(kind);
    if (!this.alike(kind) || this.change(kind, 0, 0) === null) return null;
    const all = Array.from({ length: layers * heads }, (_, at) => [Math.floor(at / heads), at % heads]);
    const change = (/** @type {number[]} */ [layer, head]) => this.change(kind, layer, head) ?? 0;
    return all.sort((a, b) => change(b) - change(a));
  }
}
