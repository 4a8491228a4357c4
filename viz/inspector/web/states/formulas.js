// @ts-check
// The formulas of recurrent layers (core/nn/recurrent.py), line by line as a step computes them.
import { h } from "../views/dom.js";

/** @import { Formula } from "./types" */

/**
 * @param {string} name
 * @param {string} symbol
 * @param {string} squash
 * @returns {Formula}
 */
const gate = (name, symbol, squash = "σ") => ({
  name,
  symbol,
  formula: `${symbol}_{t} = ${squash}(W_{x${symbol}} x_{t} + W_{h${symbol}} h_{t−1})`,
  numbers: `${squash}({${name}_x} + {${name}_h}) = {${name}}`,
  parts: [
    [`W_{x${symbol}} x_{t}`, `${name}_x`],
    [`W_{h${symbol}} h_{t−1}`, `${name}_h`],
    [`${symbol}_{t}`, name],
  ],
});

/** @type {Record<string, Formula[]>} */
const FORMULAS = {
  rnn: [gate("hidden", "h", "tanh")],
  lstm: [
    gate("input", "i"),
    gate("forget", "f"),
    gate("candidate", "g", "tanh"),
    gate("output", "o"),
    {
      name: "cell",
      symbol: "c",
      formula: "c_{t} = f_{t} · c_{t−1} + i_{t} · g_{t}",
      numbers: "{forget} · {before_cell} + {input} · {candidate} = {cell}",
      parts: [
        ["c_{t−1}", "before_cell"],
        ["c_{t}", "cell"],
      ],
    },
    {
      name: "hidden",
      symbol: "h",
      formula: "h_{t} = o_{t} · tanh(c_{t})",
      numbers: "{output} · tanh({cell}) = {hidden}",
      parts: [
        ["h_{t−1}", "before_hidden"],
        ["h_{t}", "hidden"],
      ],
    },
  ],
  gru: [
    gate("reset", "r"),
    gate("update", "z"),
    {
      name: "candidate",
      symbol: "n",
      formula: "n_{t} = tanh(W_{xn} x_{t} + r_{t} · W_{hn} h_{t−1})",
      numbers: "tanh({candidate_x} + {reset} · {candidate_h}) = {candidate}",
      parts: [
        ["W_{xn} x_{t}", "candidate_x"],
        ["W_{hn} h_{t−1}", "candidate_h"],
        ["n_{t}", "candidate"],
      ],
    },
    {
      name: "hidden",
      symbol: "h",
      formula: "h_{t} = (1 − z_{t}) · h_{t−1} + z_{t} · n_{t}",
      numbers: "(1 − {update}) · {before_hidden} + {update} · {candidate} = {hidden}",
      parts: [
        ["h_{t−1}", "before_hidden"],
        ["h_{t}", "hidden"],
      ],
    },
  ],
};

/**
 * The formulas of the cell that has recorded these names; none of what is no cell of ours.
 * @param {string[]} names
 * @returns {Formula[]}
 */
export function formulasOf(names) {
  const found = Object.values(FORMULAS).filter((lines) =>
    lines.every(({ name, parts }) => [name, ...parts.map(([, part]) => part)].every((part) => names.includes(part))),
  );
  return found.sort((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * States and gates, and not what they were made of; states first.
 * @param {string[]} names
 */
export function drawable(names) {
  const own = names.filter((name) => !/^before_|_[xh]$/.test(name));
  const first = ["hidden", "cell"].filter((name) => own.includes(name));
  return [...first, ...own.filter((name) => !first.includes(name))];
}

/**
 * A formula with its indices lowered.
 * @param {string} formula
 */
export function lowered(formula) {
  const out = document.createDocumentFragment();
  formula.split(/(_\{[^}]*\})/).forEach((part) => {
    out.append(part.startsWith("_{") ? h("sub", {}, part.slice(2, -1)) : part);
  });
  return out;
}

/** Three digits, and a true minus. */
export const number = (/** @type {number} */ value) =>
  value
    .toFixed(3)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace("-", "");

/**
 * A line of numbers as one writes it.
 * @param {string} template
 * @param {(name: string) => number} of
 */
export function written(template, of) {
  return template
    .replace(/\{(\w+)\}/g, (_, name) => number(of(name)))
    .replace(/\+ −/g, "− ")
    .replace(/· (−[\d.]+)/g, "· ($1)");
}
