// What a person takes along of two looks: links to files of what is seen, made by the server.
import { createMenu, FIGURES, NUMBERS } from "../menu.js";

export function createTake(pair) {
  const { words, traceIds } = pair;
  const forms = [...FIGURES, ...NUMBERS];
  const all = (name, look, when) => ({ name, label: `${words.take_grid} · ${look}`, forms, when });
  const rows = [
    { name: "pair", label: words.take_pair, forms },
    all("changes", words.difference, ({ kind }) => pair.both.alike(kind)),
    all("first", words.first),
    all("second", words.second),
  ];

  function address(state, name, form) {
    const { kind, layer, head, other, pinned, words: grouped, stretch } = pair.selection(state);
    const [first, second] = traceIds.map(encodeURIComponent);
    const own = {
      pair: { path: `${first}/beside/${second}`, view: "head", layer, head, other, pinned: pinned?.join(".") },
      changes: { path: `${first}/beside/${second}`, view: "grid" },
      first: { path: first, view: "grid" },
      second: { path: second, view: "grid" },
    };
    const { path, ...more } = own[name];
    const asked = Object.entries({ kind, ...more, words: grouped, stretch, lang: pair.language });
    const query = new URLSearchParams(asked.filter(([, text]) => (text ?? null) !== null));
    return new URL(`take/${path}/look.${form}?${query}`, document.baseURI).href;
  }

  return createMenu(pair, rows, address);
}
