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
 * @param {{value: Value, label: string, colour?: string}[]} options
 * @param {string} testid
 * @param {(value: Value) => void} choose
 */
export function createSwitch(label, options, testid, choose) {
  // What was chosen last, also before it is painted: two quick keys go two places on.
  let chosen = 0;
  const buttons = options.map(({ value, label: name, colour }) => {
    const button = h("button", { type: "button", role: "radio", "data-value": value, class: "hl-option" }, name);
    if (colour) button.style.setProperty("--hl-option", colour);
    button.onclick = () => pick(value);
    return button;
  });
  const element = h(
    "div",
    { class: "hl-switch", role: "radiogroup", "aria-label": label, "data-testid": testid },
    ...buttons,
  );
  element.onkeydown = (event) => {
    const by = BY.get(event.key);
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    chosen = (chosen + by + buttons.length) % buttons.length;
    buttons[chosen].focus();
    choose(options[chosen].value);
  };
  /** @param {Value} value */
  function pick(value) {
    chosen = options.findIndex((option) => option.value === value);
    choose(value);
  }
  return {
    element,
    /** @param {Value} value */
    render(value) {
      chosen = options.findIndex((option) => option.value === value);
      buttons.forEach((button, index) => {
        const on = options[index].value === value;
        attribute(button, "aria-checked", on);
        attribute(button, "tabindex", on ? "0" : "-1");
      });
    },
  };
}
