// A page of its own within ours. Each address gets a new frame: one that is sent elsewhere adds to
// the history of the tab, and the way back would move that frame alone.
import { h } from "./dom.js";
import { mounts } from "./mounts.js";

export const mount = mounts(({ parentElement }) => {
  let frame = null;
  return {
    update({ data: { path, title, height } }) {
      const src = new URL(path, document.baseURI).href;
      if (frame?.src !== src) {
        const next = h("iframe", { src, title });
        next.style.cssText = `display: block; width: 100%; height: ${height}px; border: 0;`;
        if (frame) frame.replaceWith(next);
        else parentElement.append(next);
        frame = next;
      }
      frame.title = title;
    },
    stop: () => frame?.remove(),
  };
});
