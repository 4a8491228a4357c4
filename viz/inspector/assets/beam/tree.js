// A beam search as rows: one row a hypothesis that went no further, the best first. Rows share
// the columns of what they have in common, which the row that it belongs to first shows.

/**
 * @param data what viz/inspector/beam.py sends
 * @returns [{place, path: places from the first token to the last, from: how many of them an
 *   earlier row shows, rank: from 0 among the answers, or -1}]
 */
export function rowsOf({ parents, ranked, totals }) {
  const children = new Map();
  parents.forEach((parent, place) => children.set(parent, [...(children.get(parent) ?? []), place]));
  const best = bests(parents, ranked, totals);
  const rows = [];
  const walk = (path, from) => {
    const place = path.at(-1) ?? -1;
    const next = [...(children.get(place) ?? [])].sort((a, b) => best[b] - best[a] || a - b);
    if (next.length === 0 && path.length) rows.push({ place, path, from, rank: ranked.indexOf(place) });
    next.forEach((child, index) => walk([...path, child], index === 0 ? from : path.length));
  };
  walk([], 0);
  return rows;
}

/** What speaks for walking on to a node: the rank of an answer behind it, else how far and likely it got. */
function bests(parents, ranked, totals) {
  const depths = parents.map(() => 1);
  parents.forEach((parent, place) => {
    if (parent >= 0) depths[place] = depths[parent] + 1;
  });
  const own = parents.map((_, place) => {
    const rank = ranked.indexOf(place);
    return rank >= 0 ? 1e9 - rank : depths[place] + Math.exp(totals[place]);
  });
  for (let place = parents.length - 1; place >= 0; place -= 1) {
    if (parents[place] >= 0) own[parents[place]] = Math.max(own[parents[place]], own[place]);
  }
  return own;
}
