// @ts-check
// Tokens as the app names them, and what may come next at a step.

/** @import { Candidates, Columns, NextEntry, Token, Words } from "../types" */

/**
 * Special pieces that the app has a word for, in its language; others keep their text.
 * @param {Words} words
 * @returns {Map<string | null, string | undefined>}
 */
const specialNames = (words) =>
  new Map([
    ["<s>", words.special_start],
    ["</s>", words.special_end],
    ["<pad>", words.special_pad],
    ["<unk>", words.special_unknown],
  ]);

/**
 * Tokens from their columns, each behind the one at `before`. `joint` ones carry on the word of the token before
 * them; `dash` says that a mark shall show it, which is noise where a model spells letter by letter.
 * @param {Columns} columns
 * @param {Words} words
 * @returns {Token[]}
 */
export function tokensOf({ text, piece, special, word }, words, before = (/** @type {number} */ at) => at - 1) {
  const names = specialNames(words);
  const letters = piece.filter((spelling, at) => !special[at] && Array.from(spelling).length === 1).length;
  const spelt = letters > 0.8 * special.filter((is) => !is).length;
  return text.map((shown, at) => {
    const joint = before(at) >= 0 && word[at] >= 0 && word[at] === word[before(at)];
    const name = special[at] ? names.get(piece[at]) : undefined;
    return { text: name ?? shown, piece: piece[at], special: special[at], joint, dash: joint && !spelt };
  });
}

/**
 * Candidates of a step, the written token among them; null where there are none.
 * @param {NextEntry[] | null} next
 * @param {number} step
 * @param {Words} words
 * @returns {Candidates | null}
 */
export function candidates(next, step, words) {
  const entry = next?.[step];
  if (entry === undefined) return null;
  const names = specialNames(words);
  const items = entry.texts.map((text, index) => ({
    id: entry.ids[index],
    text: names.get(entry.specials[index]) ?? text,
    special: entry.specials[index] !== null,
    dash: entry.joins[index],
    p: entry.p[index],
    chosen: index === entry.chosen,
  }));
  return { items, others: entry.others, rank: entry.rank, chosen: items[entry.chosen] ?? null };
}
