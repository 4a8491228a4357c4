// @ts-check
// A sentence is asked for as soon as it is typed, beside Streamlit, which hears of it at the same
// moment and draws all of the page: the snapshot is there before that page is. Where it cannot be had,
// nothing happens; the page's own run says why.

const FIELD = ".st-key-sentence input"; // viz/screens/inspect.py
const LONGEST = 1500; // characters of a sentence that an address can carry (viz/session/address.py)

/**
 * The meta of a snapshot, null where the page's run has to say what stands in its way.
 * @param {Record<string, string>} how its `model`, and by what chance that writes
 * @param {string} source
 * @param {AbortSignal} signal
 * @returns {Promise<object | null>}
 */
async function ask(how, source, signal) {
  const url = new URL("snapshot", document.baseURI);
  url.search = String(new URLSearchParams({ ...how, source }));
  const reply = await fetch(url, { method: "POST", signal });
  return reply.status === 200 ? reply.json() : null;
}

/** Listens to the field above a view, as Streamlit does: to Enter, and to who leaves it. */
export class Typed {
  /**
   * @param {() => Record<string, string>} how what to ask: the id of a `model`, {} for none
   * @param {(meta: object) => void} show is given the snapshot of the sentence that was typed last
   */
  constructor(how, show) {
    this.how = how;
    this.show = show;
    /** @type {string | null} */
    this.known = null; // what the field said when its page was drawn for it
    this.asked = new AbortController();
    this.ended = new AbortController();
    const { signal } = this.ended;
    const at = (/** @type {Event} */ { target }) =>
      target instanceof HTMLInputElement && target.matches(FIELD) ? target : null;
    document.addEventListener(
      "focusin",
      (event) => {
        const field = at(event);
        if (field) this.known = field.value;
      },
      { signal },
    );
    const entered = (/** @type {Event} */ event) => {
      const field = at(event);
      if (field) this.entered(field.value);
    };
    document.addEventListener("focusout", entered, { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        // Enter may end a syllable that is being composed, and is none then.
        if (event.key === "Enter" && !event.isComposing) entered(event);
      },
      { signal, capture: true },
    );
  }

  /** @param {string} source */
  async entered(source) {
    const how = this.how();
    if (!how.model || source === this.known) return;
    this.known = source;
    this.forget();
    if (source.length > LONGEST) return;
    const { signal } = (this.asked = new AbortController());
    const meta = await ask(how, source, signal).catch(() => null);
    if (meta && !signal.aborted) this.show(meta);
  }

  /** What is on its way is not wanted any more. */
  forget() {
    this.asked.abort();
  }

  stop() {
    this.forget();
    this.ended.abort();
  }
}
