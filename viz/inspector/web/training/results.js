// @ts-check
// What a run writes for pairs that it never sees, how well, and what became of its data.
import { h } from "../views/dom.js";
import { format, visible } from "../data/text.js";
import { percent, short, whole } from "./numbers.js";

/** @import { DataRead, Sample, Scores, Validated, Watching } from "./types" */

/** @param {Watching} app */
export function createSamples({ words, language, look }) {
  const heading = h("h3", { class: "hl-sub" }, words.samples_title);
  const at = h("span", { class: "hl-note", "data-testid": "tr-samples-step" });
  const scores = h("p", { class: "tr-scores hl-note", "data-testid": "tr-scores" });
  const body = h("tbody");
  const columns = [words.sample_source, words.sample_output, words.sample_reference];
  const table = h(
    "table",
    { class: "tr-samples", "data-testid": "tr-samples" },
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
    body,
  );
  const element = h("section", {}, h("div", { class: "tr-samples-head" }, heading, at), scores, table);
  /** @type {Validated | null} */
  let shown = null;

  /** @param {Sample} sample */
  function row({ source, reference, output }) {
    const right = output === reference;
    const button = h(
      "button",
      { type: "button", class: "tr-look", title: words.sample_look },
      h("bdi", {}, visible(source)),
    );
    button.onclick = () => look(source);
    return h(
      "tr",
      {},
      h("td", {}, button),
      h(
        "td",
        {},
        h("bdi", {}, output === "" ? "–" : visible(output)),
        right ? h("i", { class: "tr-check", title: words.sample_right }, " ✓") : null,
      ),
      h("td", {}, h("bdi", {}, visible(reference))),
    );
  }

  /**
   * @param {string} name
   * @param {Scores} scores
   * @param {boolean} alone
   */
  function score(name, { bleu, chrf, exact, loss, pairs }, alone) {
    const count = whole(pairs, language);
    const overlap = bleu === null || chrf === null ? null : { bleu: short(bleu), chrf: short(chrf) };
    const line =
      exact === null
        ? format(words.scores_loss, { loss: short(loss), pairs: count })
        : format(overlap ? words.scores : words.scores_exact, { ...overlap, exact: percent(exact), pairs: count });
    return h("span", {}, alone ? line : `${name}: ${line}`);
  }

  return {
    element,
    /** @param {Validated | null} validated one validation of the run, or null */
    render(validated) {
      element.hidden = validated === null;
      if (validated === null || validated === shown) return;
      shown = validated;
      const parts = Object.entries(validated.scores);
      at.textContent = format(words.step_name, { step: whole(validated.step, language) });
      scores.replaceChildren(...parts.map(([name, one]) => score(name, one, parts.length === 1)));
      table.hidden = validated.samples.length === 0; // somebody else's
      body.replaceChildren(...validated.samples.map(row));
    },
  };
}

/** @param {Watching} app */
export function createData({ words, language }) {
  const list = h("ul", { class: "tr-data" });
  const element = h(
    "details",
    { "data-testid": "tr-data" },
    h("summary", { class: "hl-note" }, words.data_title),
    list,
  );
  let shown = "";

  const counted = (/** @type {string} */ template, /** @type {number} */ count) =>
    count ? [format(template, { count: whole(count, language) })] : [];

  /**
   * @param {DataRead} data
   * @param {boolean} alone
   */
  function corpus(data, alone) {
    const split = /** @type {const} */ (["train", "valid", "test"]).map((part) =>
      format(words[`data_${part}`], { count: whole(data[part], language) }),
    );
    const kinds = /** @type {const} */ (["bad", "repeated", "leaked", "too_long", "unshown"]);
    const out = kinds.flatMap((kind) => counted(words[`data_${kind}`], data[kind]));
    return h(
      "li",
      {},
      alone ? "" : `${data.name}: `,
      [...split, ...out].join(" · "),
      data.bad ? h("ul", {}, ...data.bad_rows[language].map((bad) => h("li", {}, visible(bad)))) : null,
    );
  }

  return {
    element,
    /** @param {DataRead[]} data */
    render(data) {
      element.hidden = data.length === 0;
      const key = JSON.stringify(data);
      if (key === shown) return;
      shown = key;
      list.replaceChildren(...data.map((one) => corpus(one, data.length === 1)));
    },
  };
}
