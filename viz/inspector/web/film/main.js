// @ts-check
// Entry of the film: one sentence at every milestone of a training run (viz/inspector/film.py).
import { mounting } from "../host.js";
import { bytesOf } from "../data/arrow.js";
import { createStore, same } from "../store.js";
import { Film } from "./film.js";
import { OPTIONS, Reel, settleReel } from "./reel.js";

/** @import { Wanted } from "../types" */
/** @import { FilmMeta, FilmState } from "./types" */

export const mount = mounting({
  sheets: ["style.css", "film/style.css"],
  room: 600,
  parameters: ["kind", "layer", "head", "milestone", "compare", "view"],
  options: ["pinned", "speed", "loop", ...OPTIONS],
  shown: (/** @type {FilmMeta} */ { film_id: id }) => id,
  open,
});

/**
 * @param {HTMLElement} root
 * @param {{ meta: FilmMeta, array: Parameters<typeof bytesOf>[0] }} data
 * @param {Wanted | null | undefined} wanted
 * @param {Film | null} earlier
 */
function open(root, data, wanted, earlier) {
  const reel = new Reel(data.meta, bytesOf(data.array));
  /** @type {Wanted} */
  const before = earlier?.selection() ?? {};
  if (earlier && !same(earlier.reel.meta.source, data.meta.source)) before.pinned = null;
  const playing = earlier?.player.playing();
  earlier?.stop();
  const store = createStore(
    /** @type {FilmState} */ ({ hover: null, pointed: false, ...settleReel({ ...before, ...(wanted ?? {}) }, reel) }),
  );
  const film = new Film(root, reel, store, data.meta);
  if (playing) film.player.play(); // a run that trains has kept another milestone
  return film;
}
