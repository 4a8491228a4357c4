// @ts-check
// Switches of a few, as radio groups with one tab stop.
import { attribute, h } from "./dom.js";

const BY = new Map([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
]);

/**
 * @template {string} Value
 * @param {string} label
 * @param {{value: Value, label: string}[]} options
 * @param {string} testid
 * @param {(value: Value) => void} choose
 */
export function createSwitch(label, options, testid, choose) {
  // What was chosen last, also before it is painted: two quick keys go two places on.
  let chosen = 0;
  const pick = (/** @type {number} */ at) => {
    chosen = at;
    choose(options[at].value);
  };
  const buttons = options.map(({ value, label: name }, at) => {
    const button = h("button", { type: "button", role: "radio", "data-value": value, class: "hl-option" }, name);
    button.onclick = () => pick(at);
    return button;
  });
  const about = { class: "hl-switch", role: "radiogroup", "aria-label": label, "data-testid": testid };
  const element = h("div", about, ...buttons);
  element.onkeydown = (event) => {
    const by = BY.get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const to = (chosen + by + buttons.length) % buttons.length;
    buttons[to].focus();
    pick(to);
  };
  return {
    element,
    /** @param {Value} value */
    render(value) {
      chosen = options.findIndex((option) => option.value === value);
      buttons.forEach((button, at) => {
        attribute(button, "aria-checked", at === chosen);
        attribute(button, "tabindex", at === chosen ? "0" : "-1");
      });
    },
  };
}
