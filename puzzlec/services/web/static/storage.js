// The storage of the browser for the page. If storage is disabled, the page keeps the data itself, until it is closed.
// A frame in a page of others does the same: it has the storage of the whole page, and must not replace its text.

export let lasting = true;

/** Whether this page is a frame that shows solutions in another page. */
export const embedded = /&embed=1(?:&|$)/.test(location.hash);

function place(name) {
  try {
    const found = window[name];
    found.getItem("");
    return embedded ? memory((key) => found.getItem(key)) : found;
  } catch {
    lasting = false;
    return memory(() => null);
  }
}

/** Return a storage in this page, over one that is only read. */
function memory(read) {
  const kept = new Map();
  return {
    getItem: (key) => (kept.has(key) ? kept.get(key) : read(key)),
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.set(key, null),
  };
}

export const session = place("sessionStorage");
export const local = place("localStorage");
