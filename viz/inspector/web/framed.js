// @ts-check
// A page of its own within ours. Each address gets a new frame: one that is sent elsewhere adds to
// the history of the tab, and the way back would move that frame alone.
import { h } from "./views/dom.js";
import { mounts } from "./mounts.js";

/** @typedef {{ parentElement: Element, data: { path: string, title: string, height: number } }} Component */

const TALLEST = 20000; // pixels; a page that wants more is scrolled within its frame

export const mount = mounts((/** @type {Component} */ { parentElement }) => {
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  /** The page tells how high it is: nothing else of it reaches us. */
  function hear(/** @type {MessageEvent} */ { source, data }) {
    if (!frame || source !== frame.contentWindow || !Number.isFinite(data?.height)) return;
    frame.style.height = `${Math.min(Math.max(Math.ceil(data.height), 0), TALLEST)}px`;
  }
  window.addEventListener("message", hear);
  return {
    update({ data: { path, title, height } }) {
      const src = new URL(path, document.baseURI).href;
      if (frame?.src !== src) {
        const next = h("iframe", { src, title });
        next.style.cssText = `display: block; width: 100%; height: ${frame?.style.height ?? `${height}px`}; border: 0;`;
        if (frame) frame.replaceWith(next);
        else parentElement.append(next);
        frame = next;
      }
      frame.title = title;
    },
    stop() {
      window.removeEventListener("message", hear);
      frame?.remove();
    },
  };
});
