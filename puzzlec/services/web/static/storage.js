// The storage of the browser for the page. If storage is disabled, the page keeps the data itself, until it is closed.

export let lasting = true;

function place(name) {
  try {
    const found = window[name];
    found.getItem("");
    return found;
  } catch {
    lasting = false;
    const kept = new Map();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    };
  }
}

export const session = place("sessionStorage");
export const local = place("localStorage");
