// @ts-check
// Keys while nothing on the page has the focus: the uppermost view answers them, as if it had it.

/** Letters and signs wait for the focus, or who dictates would press them; so does what selects text. */
const HEARD = new Set(["ArrowLeft", "ArrowRight", " "]);
const LYING_OVER = "[role=dialog], [role=menu], [role=listbox]"; // of the page around, where they are open

/** @typedef {{ root: HTMLElement, act: (event: KeyboardEvent) => void }} Hearer */
/** @type {Set<Hearer>} */
const hearers = new Set();
const top = (/** @type {Hearer} */ { root }) => root.getBoundingClientRect().top;

/** @param {KeyboardEvent} event */
function hear(event) {
  const { body } = document;
  const held = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
  if (event.target !== body || event.defaultPrevented || held || !HEARD.has(event.key)) return;
  if (document.querySelector(LYING_OVER)) return;
  const seen = [...hearers].filter(({ root }) => root.isConnected);
  const [first] = seen.sort((one, other) => top(one) - top(other));
  first?.act(event);
}

/**
 * Has a view hear such keys; returns what ends it.
 * @param {HTMLElement} root
 * @param {(event: KeyboardEvent) => void} act
 */
export function hearUnclaimed(root, act) {
  const hearer = { root, act };
  if (hearers.size === 0) document.addEventListener("keydown", hear);
  hearers.add(hearer);
  return () => {
    hearers.delete(hearer);
    if (hearers.size === 0) document.removeEventListener("keydown", hear);
  };
}
