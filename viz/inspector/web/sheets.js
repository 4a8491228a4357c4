// @ts-check
// Style sheets of a component, which come from beside its module.
import { h } from "./views/dom.js";

/**
 * @param {string[]} names
 * @param {string} module its address
 */
export const sheetsOf = (names, module) =>
  names.map((name) => h("link", { rel: "stylesheet", href: new URL(name, module).href }));

/**
 * Once all are in the page and here, or have failed.
 * @param {HTMLLinkElement[]} links
 */
export const loaded = (links) =>
  Promise.all(
    links.map(
      (link) =>
        new Promise((resolve) => {
          link.onload = resolve;
          link.onerror = resolve;
        }),
    ),
  );
