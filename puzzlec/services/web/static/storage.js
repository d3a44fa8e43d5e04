// What the browser stores for the page. Some browsers are told to store nothing; then it is remembered for as long as
// the page is there.

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
