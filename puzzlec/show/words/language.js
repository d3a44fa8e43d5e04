/** Returns the first language of the reader that is known: the `chosen` one, or one that the browser asks for. */
function languageOf(known, chosen) {
  const wanted = [chosen, ...navigator.languages].map((name) => String(name).toLowerCase().split("-")[0]);
  return wanted.find((name) => known.includes(name)) || "en";
}
