// @ts-check
// Style sheets of a component, which come from beside this module.
import { h } from "./views/dom.js";

/**
 * Puts them into a page; nothing of `root` shows until all are here, or have failed.
 * @param {Element} parent
 * @param {HTMLElement} root
 * @param {string[]} names
 */
export function dressed(parent, root, names) {
  const links = names.map((name) => h("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href }));
  const loaded = links.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve)));
  root.style.visibility = "hidden";
  parent.append(...links);
  return { links, here: Promise.all(loaded).then(() => (root.style.visibility = "")) };
}
