// The rules of a puzzle in words, from the data of `as_data` in puzzlec/show/ruling.py.

/** Returns a condition in words. */
function conditionWords({ kind, bounds }) {
  return phrase(`rules.${kind}`, { bounds });
}

/** Returns a note in words: where a condition applies, and the condition. */
function noteWords(note) {
  const places = note.where.map(([name, numbers]) => {
    if (["cells", "inside", "on", "off"].includes(name)) {
      const region = phrase(note.cells ? "rules.cells" : "rules.somewhere", { cells: note.cells, n: numbers[0] });
      return name === "cells" ? region : phrase(`rules.points.${name}`, { region });
    }
    if (name === "board" || !numbers.length) return phrase(`rules.each.${name}`, { cells: note.cells });
    return phrase(`rules.some.${name}`, { numbers: numbers.join(", "), n: numbers.length });
  });
  const where = places.length < 2 ? places.join("") : phrase("rules.and", { first: places.slice(0, -1).join(", "), last: places.at(-1) });
  const text = `${where && `${where}: `}${conditionWords(note)}`;
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}
