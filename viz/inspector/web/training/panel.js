// @ts-check
// One run: how far it is, what can be done with it, its curves, its translations, its attention.
import { attribute, h, text } from "../views/dom.js";
import { format } from "../data/text.js";
import { createAttention } from "./attention.js";
import { createCurves } from "./curves.js";
import { ACTIVE, followRun } from "./feed.js";
import { clock, rate, whole } from "./numbers.js";
import { createData, createSamples } from "./results.js";
import { Story } from "./story.js";

/** @import { Reply, Started, Training, Watching } from "./types" */

/** @type {Record<string, string>} */
const NAMED = { cpu: "CPU", cuda: "CUDA", mps: "MPS" };

export class Panel {
  /**
   * @param {Training} app
   * @param {string} run
   */
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.story = new Story();
    /** @type {Reply | null} */
    this.now = null; // the newest answer of the server
    this.frame = 0;
    this.pending = ""; // the command that was sent and is not seen yet
    /** @type {Watching} */
    const inner = {
      ...app,
      run,
      draw: () => this.schedule(),
      pick: (step) => this.pick(step),
      look: (sentence) => this.attention.choose(sentence),
      get theme() {
        return app.theme;
      },
    };
    this.curves = createCurves(inner);
    this.samples = createSamples(inner);
    this.data = createData(inner);
    this.attention = createAttention(inner);
    const { words } = app;
    this.state = h("span", { class: "tr-state", "data-testid": "tr-state", role: "status" });
    this.fill = h("span", { class: "tr-fill" });
    this.bar = h(
      "div",
      { class: "tr-bar", role: "progressbar", "aria-label": words.progress, "aria-valuemin": "0" },
      this.fill,
    );
    this.numbers = h("dl", { class: "tr-numbers", "data-testid": "tr-numbers" });
    this.said = h("p", { class: "tr-said", "data-testid": "tr-said" });
    this.whose = h("p", { class: "tr-said hl-note", hidden: true, "data-testid": "tr-whose" });
    this.single = h("p", { class: "tr-said hl-note", hidden: true, "data-testid": "tr-single" }, words.single);
    this.offline = h("p", { class: "tr-said tr-warn", role: "status", hidden: true }, words.offline);
    const button = (/** @type {string} */ name, className = "") => {
      const made = h(
        "button",
        { type: "button", class: `tr-button ${className}`.trim(), "data-testid": `tr-${name}` },
        words[name],
      );
      made.onclick = () => this.command(name);
      return made;
    };
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {
      stop: button("stop"),
      go_on: button("go_on", "tr-primary"),
      inspect: button("inspect", "tr-primary"),
      film: button("film"),
      remove: button("remove", "tr-quiet"),
    };
    this.sure = h(
      "span",
      { class: "tr-sure", hidden: true },
      format(words.remove_ask, { run: this.run }),
      button("remove_yes", "tr-danger"),
      button("remove_no"),
    );
    this.sure.onkeydown = (event) => {
      if (event.key === "Escape") this.command("remove_no");
    };
    this.actions = h("div", { class: "tr-actions", tabindex: "-1" }, ...Object.values(this.buttons), this.sure);
    this.passing = h("p", { class: "tr-passing hl-note", role: "status" });
    this.element = h(
      "section",
      { class: "tr-panel", "aria-label": this.run },
      this.bar,
      h("div", { class: "tr-facts" }, this.state, this.numbers, this.passing),
      this.said,
      this.whose,
      this.single,
      this.offline,
      h(
        "div",
        { class: "tr-columns" },
        h("div", { class: "tr-left" }, this.curves.element, this.samples.element, this.data.element),
        this.attention.element,
      ),
    );
    this.feed = followRun(
      run,
      (reply) => this.heard(reply),
      (is) => (this.offline.hidden = !is),
    );
  }

  /** @param {string} name */
  command(name) {
    if (name === "remove" || name === "remove_no") {
      this.sure.hidden = name === "remove_no";
      this.buttons.remove.hidden = name === "remove";
      if (name === "remove") this.sure.querySelector("button")?.focus();
      else this.buttons.remove.focus();
      return;
    }
    if (this.pending) return;
    this.pending = name;
    this.app.command(name === "remove_yes" ? "remove" : name, {
      run: this.run,
      source: this.attention.sentence(),
      model: this.now?.model ?? "",
    });
    this.schedule();
  }

  /** @param {Reply | null} reply */
  heard(reply) {
    if (reply === null) {
      this.app.gone(this.run);
      return;
    }
    if (reply.from === 0) this.story.clear();
    if (reply.pairs.length) this.story.pairs = reply.pairs;
    reply.events.forEach((event) => this.story.add(event));
    const before = this.now;
    this.now = reply;
    if (before?.state !== reply.state) this.pending = "";
    // A finished model is among those that can be opened, and a place to train is free.
    if (before && ACTIVE.includes(before.state) && !ACTIVE.includes(reply.state))
      this.app.command("ended", { run: this.run });
    this.schedule();
  }

  answered() {
    this.pending = "";
    this.feed.beat();
    this.schedule();
  }

  /** @param {number} step */
  pick(step) {
    const { milestones } = this.story;
    if (!milestones.length) return;
    this.attention.pick(milestones.reduce((best, one) => (Math.abs(one - step) < Math.abs(best - step) ? one : best)));
    this.draw();
  }

  schedule() {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { story, now } = this;
    if (!now) return;
    this.head(now);
    if (now.read) this.attention.render(story); // asks for snapshots
    const chosen = this.attention.chosen();
    this.curves.draw(story, chosen);
    this.samples.render(
      chosen === null || chosen === story.milestones.at(-1)
        ? (story.validated.at(-1) ?? null)
        : story.validatedBy(chosen),
    );
    this.data.render(story.data);
  }

  /** @param {Reply} now */
  head(now) {
    const {
      story,
      app: { words, language },
    } = this;
    const steps = story.started?.steps ?? 0;
    attribute(this.element, "data-state", now.state);
    text(this.state, words[`state_${now.state}`]);
    const share = now.state === "finished" ? 1 : steps ? story.step / steps : 0;
    this.fill.style.width = `${(100 * share).toFixed(1)}%`;
    attribute(this.bar, "aria-valuemax", steps || 1);
    attribute(this.bar, "aria-valuenow", story.step);
    const last = story.progress.at(-1);
    const training = now.state === "running" || now.state === "stopping";
    const number = (/** @type {string} */ name, /** @type {string} */ value) =>
      h("div", {}, h("dt", {}, words[name]), h("dd", {}, value));
    this.numbers.replaceChildren(
      number(
        "number_step",
        steps ? format(words.step_of, { step: whole(story.step, language), steps: whole(steps, language) }) : "–",
      ),
      ...(training ? [number("number_left", last ? clock(last.seconds_left) : "–")] : []),
      number("number_speed", last ? whole(Math.round(last.tokens_per_second), language) : "–"),
      number("number_rate", rate(last?.learning_rate)),
      ...(story.started
        ? [
            number("number_parameters", whole(story.started.parameters, language)),
            number("number_vocabulary", whole(story.started.vocabulary, language)),
            number("number_device", this.device(story.started)),
            ...(story.started.precision ? [number("number_precision", story.started.precision)] : []),
          ]
        : []),
    );
    const sentence = this.sentence(now);
    const stays = !ACTIVE.includes(now.state) && sentence !== "";
    this.said.hidden = !stays;
    text(this.said, stays ? sentence : "");
    attribute(this.said, "role", now.state === "failed" || now.state === "lost" ? "alert" : "status");
    text(this.passing, stays ? "" : sentence); // beside the numbers: nothing moves when it goes
    this.whose.hidden = now.command && now.read;
    text(this.whose, now.read ? words.whose_command : words.whose_texts);
    this.single.hidden = !story.data.some(({ single }) => single);
    this.attention.element.hidden = !now.read;
    this.offer(now);
  }

  /** @param {Started} started */
  device({ device, processes }) {
    const name = NAMED[device] ?? device;
    return processes > 1 ? `${name} × ${processes}` : name;
  }

  /** @param {Reply} now */
  sentence(now) {
    const {
      story,
      app: { words, language },
    } = this;
    const step = whole(story.end?.step ?? story.step, language);
    if (now.state === "failed")
      return story.end?.said?.[language] ?? (now.read ? words.failed_unknown : words.state_failed);
    if (now.state === "lost")
      return story.saved ? format(words.lost, { step: whole(story.saved, language) }) : words.lost_unsaved;
    if (now.state === "stopped") return format(words.stopped, { step });
    if (now.state === "finished") return story.end?.reason === "patience" ? format(words.finished_early, { step }) : "";
    if (now.state === "starting") return words.starting;
    if (now.state === "stopping") return words.stopping;
    return story.damaged ? words.fell_back : story.progress.length ? "" : words.starting;
  }

  /** @param {Reply} now */
  offer(now) {
    const { story, buttons } = this;
    const offered = {
      stop: now.stoppable,
      go_on: now.resumable,
      inspect: now.model !== null,
      film: story.milestones.length > 1 && now.read,
      remove: now.removable && this.sure.hidden,
    };
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.actions.getRootNode());
    const every = Object.values(buttons);
    const held = [this.actions, ...every].find((one) => one === activeElement);
    for (const [name, is] of Object.entries(offered)) {
      buttons[name].hidden = !is;
      attribute(buttons[name], "aria-disabled", this.pending !== ""); // one that is disabled lets go of the focus
    }
    // While a run stops, nothing is offered: the focus waits for what is.
    if (held?.hidden || held === this.actions) (every.find((one) => !one.hidden) ?? this.actions).focus();
  }

  retheme() {
    this.attention.retheme();
    this.curves.redraw();
  }

  drawn() {
    const { story } = this;
    return {
      run: this.run,
      ready: this.now !== null && this.frame === 0,
      state: this.now?.state ?? null,
      step: story.step,
      curves: this.curves.drawn(),
      milestones: story.milestones.slice(),
      attention: this.attention.state(),
    };
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.feed.stop();
    this.attention.stop();
  }
}
