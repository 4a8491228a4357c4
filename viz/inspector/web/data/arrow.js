// @ts-check
// What Streamlit hands over beside JSON.

/**
 * Bytes from an Arrow table of one column, or from a typed array.
 * @param {ArrayBufferView | { getChildAt(at: number): { toArray(): Uint8Array } } | null | undefined} array
 */
export function bytesOf(array) {
  if (array === undefined || array === null) return new Uint8Array(0);
  if (ArrayBuffer.isView(array)) return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return array.getChildAt(0).toArray();
}
