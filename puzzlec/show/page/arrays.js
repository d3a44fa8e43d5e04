// Integers as the data of a page has them: listed, or as base64 of their bytes, the least one first.

const WAYS = {
  u8: [1, (view, at) => view.getUint8(at)],
  i16: [2, (view, at) => view.getInt16(at, true)],
  u16: [2, (view, at) => view.getUint16(at, true)],
  i32: [4, (view, at) => view.getInt32(at, true)],
};

/** Returns packed integers as an Int32Array, an empty one if there are none. */
function unpacked(packed) {
  if (!packed) return new Int32Array(0);
  if (Array.isArray(packed)) return Int32Array.from(packed);
  const [way, text] = Object.entries(packed)[0];
  const [width, read] = WAYS[way];
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = letters.charCodeAt(k);
  const view = new DataView(bytes.buffer);
  const found = new Int32Array(bytes.length / width);
  for (let k = 0; k < found.length; k++) found[k] = read(view, k * width);
  return found;
}

/** Returns the index at which each row begins, and at the end the index after the last row. */
function starts(lengths) {
  const found = new Int32Array(lengths.length + 1);
  for (let k = 0; k < lengths.length; k++) found[k + 1] = found[k] + lengths[k];
  return found;
}
