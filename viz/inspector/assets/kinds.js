// Switches of a few, as radio groups with one tab stop.
import { attribute, h } from "./dom.js";

/** @param {{value: string, label: string, colour?: string}[]} options */
export function createSwitch(label, options, testid, choose) {
  const buttons = options.map(({ value, label: name, colour }) => {
    const button = h("button", { type: "button", role: "radio", "data-value": value, class: "hl-option" }, name);
    if (colour) button.style.setProperty("--hl-option", colour);
    button.onclick = () => choose(value);
    return button;
  });
  const element = h("div", { class: "hl-switch", role: "radiogroup", "aria-label": label, "data-testid": testid }, ...buttons);
  element.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = buttons.findIndex((button) => button.getAttribute("aria-checked") === "true");
    const next = (at + by + buttons.length) % buttons.length;
    choose(options[next].value);
    buttons[next].focus();
  };
  return {
    element,
    render(value) {
      buttons.forEach((button, index) => {
        const on = options[index].value === value;
        attribute(button, "aria-checked", on);
        attribute(button, "tabindex", on ? "0" : "-1");
      });
    },
  };
}
