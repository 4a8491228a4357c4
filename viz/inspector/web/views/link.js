// @ts-check
// The address of what is in view, copied to be pasted elsewhere.
import { format } from "../data/text.js";
import { h, text } from "./dom.js";

/** @import { Words } from "../types" */

const LOCAL = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/; // leads everybody to their own machine
const LEFT_OUT = "left_out"; // names texts that an address has no room for (viz/session/address.py)

/**
 * Puts a text on the clipboard; whether that could be done.
 * @param {string} what
 */
async function copied(what) {
  try {
    await navigator.clipboard.writeText(what);
    return true;
  } catch {
    // By plain http, as in a class, a page has no clipboard of its own, but may say what a copy is.
  }
  let done = false;
  const say = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", what);
    event.preventDefault();
    done = true;
  };
  document.addEventListener("copy", say);
  document.execCommand("copy");
  document.removeEventListener("copy", say);
  return done;
}

/** @type {(words: Words, address: URL) => string} */
function told(words, address) {
  if (address.searchParams.has(LEFT_OUT)) return words.link_left_out;
  const { hostname } = address;
  return LOCAL.test(hostname) ? format(words.link_local, { host: hostname }) : words.link_copied;
}

/**
 * A row of the menu of files; what became of it is said below.
 * @param {Words} words
 */
export function createLink(words) {
  const about = { class: "hl-export-link", type: "button", "data-testid": "hl-link" };
  const button = h("button", { ...about, "aria-label": words.link_copy_this }, words.link_copy);
  const said = h("p", { class: "hl-note", role: "status", "data-testid": "hl-link-said" });
  button.onclick = async () => {
    const address = new URL(window.location.href);
    const done = await copied(address.href);
    text(said, done ? told(words, address) : words.link_failed);
  };
  const row = h("div", { class: "hl-export-row" }, h("span", {}, words.link), button);
  return { row, said };
}
