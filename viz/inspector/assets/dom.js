// A few lines instead of a framework.
import { visible } from "./text.js";

/** Element with attributes; children are text or nodes, null ones are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A token in running text: literal, isolated from the direction of its surroundings. */
export function tokenNode(token, className = "") {
  const special = token.special ? "hl-special" : "";
  return h("bdi", { class: `hl-token ${special} ${token.dash ? "hl-dash" : ""} ${className}`.replace(/ +/g, " ").trim() }, visible(token.text));
}

/** Several tokens as the words they make, joined where a word goes on. */
export function joined(tokens) {
  let out = "";
  tokens.forEach((token) => {
    if (token.special) return;
    out += (out !== "" && !token.joint ? " " : "") + visible(token.text);
  });
  return out;
}

/** setAttribute only where it differs: attributes wake up accessibility trees. */
export function attribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}
