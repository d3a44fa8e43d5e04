// The words of the page in one language, from its file: texts with keys. `{name}` in a text stands for a value. A text
// that depends on a number `n` has one form for each plural of the language.

let spoken = { words: {}, answers: {} };
let tongue = "en";
let plurals = null; // the rules of the language and the separator between groups of three digits, on first use: they are slow
let separator = null;

/** Takes the words of a language. A document without a language gets this one. */
function speak(language, file) {
  [spoken, tongue, plurals, separator] = [file, language, null, null];
  document.documentElement.lang ||= language;
}

/** Returns a number, which may be a text of digits, with its digits in groups as the language writes them. */
function grouped(number) {
  separator ??= new Intl.NumberFormat(tongue).formatToParts(12345).find(({ type }) => type === "group").value;
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, separator);
}

/** Returns the words with a key. Digits of `n` are in groups of three. */
function phrase(key, values = {}) {
  const found = spoken.words[key] ?? key;
  const text = typeof found === "string" ? found : found[(plurals ??= new Intl.PluralRules(tongue)).select(Number(values.n))] ?? found.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => (name === "n" ? grouped(values.n) : values[name]));
}

/** Returns the translation of a text that does not come from the page; the text if there is none. */
function translated(text) {
  return spoken.answers[text] ?? text;
}
