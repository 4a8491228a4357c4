// @ts-check
// The attention of one sentence as it forms: the sentence, one head at every milestone, and the
// inspector at the milestone that is chosen.
import { h, text } from "../views/dom.js";
import { mount } from "../main.js";
import { format, visible } from "../data/text.js";
import { createFilm } from "./film.js";
import { Snapshots } from "./snapshots.js";

/** @import { Kind } from "../types" */
/** @import { HeadAt, Hooked, Snapshot, Watching } from "./types" */
/** @import { Story } from "./story.js" */

const LONGEST = 500; // characters of a sentence

/** @param {Watching} app */
export function createAttention(app) {
  const { words, language } = app;
  let snapshots = new Snapshots(app.run, app.inspector, { source: "", target: "" }, () => app.draw());
  const field = h("input", {
    class: "tr-sentence",
    type: "text",
    maxlength: LONGEST,
    "aria-label": words.sentence,
    placeholder: words.sentence,
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "tr-sentence",
  });
  const note = h("p", { class: "hl-note tr-forced", "data-testid": "tr-forced" });
  /** @type {Hooked} */
  const place = h("div", { class: "tr-inspector" });
  const message = h("p", { class: "tr-waiting hl-note", role: "status" });
  /** @type {string[][]} */
  let pairs = [];
  /** @type {number[]} */
  let steps = [];
  /** @type {string | null} */
  let asked = null; // the sentence that is looked at
  let answer = ""; // what all milestones read; "" lets each write freely
  let known = false; // `answer` is the pair's own
  /** @type {number | null} */
  let chosen = null; // the milestone in view
  let following = true; // it is the newest one
  let own = false; // a person chose a head
  /** @type {HeadAt | null} */
  let selection = null; // from 1
  let shown = "";
  /** @type {(() => void) | null} */
  let unmount = null;
  let judging = 0; // the newest milestone whose answer was asked for

  const film = createFilm({
    ...app,
    get snapshots() {
      return snapshots;
    },
    get theme() {
      return app.theme;
    },
    head: () => selection && { kind: selection.kind, layer: selection.layer - 1, head: selection.head - 1 },
  });
  const heading = h(
    "div",
    { class: "tr-attention-head" },
    h("h3", { class: "hl-sub" }, words.attention_title),
    field,
    note,
  );
  const element = h("section", { class: "tr-attention" }, heading, film.element, message, place);

  /**
   * Looks at another sentence; one of the pairs brings its answer along.
   * @param {string} sentence
   */
  function look(sentence) {
    const found = pairs.find(([source]) => source === sentence);
    answer = found?.[1] ?? "";
    known = answer !== "";
    asked = sentence;
    judging = 0;
    ask(sentence);
    const { activeElement } = /** @type {Document | ShadowRoot} */ (field.getRootNode());
    if (activeElement !== field) field.value = sentence;
    if (!known) judge();
  }

  /** @param {string} source */
  function ask(source) {
    snapshots.stop();
    snapshots = new Snapshots(app.run, app.inspector, { source, target: answer }, () => app.draw());
  }

  /** What all milestones are to read for a sentence of one's own: what the newest one writes. */
  async function judge() {
    const [newest, sentence] = [steps.at(-1), asked];
    if (newest === undefined || sentence === null || judging === newest + 1) return;
    judging = newest + 1;
    const written = await snapshots.translation(newest);
    if (asked !== sentence || written === answer) return;
    answer = written;
    ask(sentence);
    app.draw();
  }

  function begin() {
    const first = app.sentence || pairs[0]?.[0] || "";
    if (first && asked === null) look(first);
  }

  /** @param {string} sentence */
  function choose(sentence) {
    if (sentence === asked || sentence === "") return;
    look(sentence);
    app.setStateValue("sentence", sentence);
    app.draw();
  }
  field.onchange = () => choose(field.value.trim());
  field.onkeydown = (event) => {
    event.stopPropagation(); // letters are shortcuts of the page, which cannot see this field
    if (event.key === "Enter") field.blur();
  };

  /** @param {HeadAt} now */
  function heard(now) {
    const { kind, layer, head } = now;
    own ||=
      selection !== null && [kind, layer, head].join() !== [selection.kind, selection.layer, selection.head].join();
    selection = { kind, layer, head };
    film.render(steps, chosen);
  }

  /**
   * The head that points most at the newest milestone is in view, until a person chooses one.
   * @param {Snapshot} snapshot
   */
  function settle(snapshot) {
    if (own) return;
    const kinds = /** @type {Kind[]} */ (Object.keys(snapshot.focus));
    const kind = selection?.kind ?? (kinds.includes("cross") ? "cross" : kinds[0]);
    if (!kind) return;
    const [layer, head] = snapshot.focus[kind];
    selection = { kind, layer: layer + 1, head: head + 1 };
  }

  /** @param {Snapshot} snapshot */
  function inspect(snapshot) {
    const key = JSON.stringify([snapshot.meta.trace_id, language]);
    if (key === shown) return;
    shown = key;
    const ui = { view: "inspect", language, text: app.inspector, selection: selection ?? {} };
    const component = {
      data: { meta: { ...snapshot.meta, ui }, array: snapshot.array },
      parentElement: place,
      selected: heard,
      setStateValue: app.setStateValue,
    };
    unmount = mount(component);
  }

  /** @param {Story} story */
  function render(story) {
    pairs = [
      ...story.pairs,
      ...(story.validated.at(-1)?.samples ?? []).map(({ source, reference }) => [source, reference]),
    ];
    const grown = story.milestones.length !== steps.length || story.milestones.at(-1) !== steps.at(-1);
    steps = story.milestones;
    begin();
    if (following || chosen === null || !steps.includes(chosen)) chosen = steps.at(-1) ?? null;
    if (grown && !known && asked !== null) judge();
    if (asked !== null && steps.length) snapshots.want(steps, chosen);
    // Until the newest is here, the one before it stays in view.
    const ready =
      chosen !== null && snapshots.get(chosen) ? chosen : (steps.findLast((step) => snapshots.get(step)) ?? null);
    const snapshot = ready === null ? undefined : snapshots.get(ready);
    if (snapshot && following) settle(snapshot);
    message.hidden = Boolean(snapshot) && !snapshots.refused;
    place.hidden = !snapshot || Boolean(snapshots.refused);
    text(
      message,
      snapshots.refused
        ? snapshots.refused[language]
        : steps.length
          ? words.attention_loading
          : words.attention_waiting,
    );
    film.element.hidden = steps.length === 0;
    film.render(steps, chosen);
    film.reveal(chosen);
    if (snapshot && !snapshots.refused) inspect(snapshot);
    text(note, answer ? format(known ? words.forced_known : words.forced_own, { target: visible(answer) }) : "");
  }

  return {
    element,
    render,
    choose,
    /**
     * Chooses a milestone; the newest one is followed from then on.
     * @param {number} step
     */
    pick(step) {
      chosen = step;
      following = step === steps.at(-1);
    },
    chosen: () => chosen,
    sentence: () => asked ?? "",
    retheme() {
      // The inspector's own host reads the theme when it is mounted again.
      const snapshot = chosen === null ? undefined : snapshots.get(chosen);
      shown = "";
      if (snapshot) inspect(snapshot);
      film.render(steps, chosen);
    },
    state: () => ({
      asked,
      answer,
      known,
      chosen,
      following,
      selection,
      film: film.drawn(),
      inspector: place.headlight?.state() ?? null,
    }),
    stop() {
      snapshots.stop();
      unmount?.();
    },
  };
}
