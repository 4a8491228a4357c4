// @ts-check
// Where the bytes of a snapshot come from: content-addressed GETs to the server, no rerun. A page
// that has them within itself answers the same paths.

/**
 * Bytes at `path` of a snapshot, such as `cross` or `cross/0/3`; rejects where there are none.
 * @type {import("../types").Ask}
 */
export async function server(traceId, path, signal) {
  const url = new URL(`trace/${encodeURIComponent(traceId)}/${path}`, document.baseURI);
  const reply = await fetch(url, { signal });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.arrayBuffer();
}
