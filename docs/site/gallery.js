// Filters on the page of the gallery. Without this script the page shows every puzzle.
"use strict";

const ranges = {
  pieces: [["1 to 5", 1, 5], ["6 to 8", 6, 8], ["9 to 12", 9, 12], ["13 to 20", 13, 20], ["over 20", 21, Infinity]],
  solutions: [
    ["none", 0, 0], ["1", 1, 1], ["2 to 10", 2, 10], ["11 to 100", 11, 100], ["101 to 1,000", 101, 1000],
    ["over 1,000", 1001, Infinity],
  ],
};
const names = { lattice: "Lattice", pieces: "Pieces", solutions: "Solutions", tag: "Tag" };
const cells = [...document.querySelectorAll("td[data-lattice]")];
const article = document.querySelector("article");
const first = article.querySelector("h2");

// A section is a heading of a family and everything up to the next one.
const sections = [];
for (let each = first; each; each = each.nextElementSibling) {
  if (each.tagName === "H2") sections.push({ all: [], cells: [], texts: [] });
  const section = sections.at(-1);
  const found = [...each.querySelectorAll("td[data-lattice]")];
  section.all.push(each);
  section.cells.push(...found);
  if (each.tagName !== "H2" && !found.length) section.texts.push(each);
}

const tags = cell => cell.dataset.tags.split("|").filter(Boolean);

function number(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) || 0) + 1);
  return [...found].sort((one, two) => two[1] - one[1] || one[0].localeCompare(two[0]));
}

const choices = {
  lattice: number(cells.map(cell => cell.dataset.lattice)).map(([value, count]) => [value, `${value} (${count})`]),
  pieces: [...ranges.pieces.map(([text]) => [text, text]), ["varies", "varies"]],
  solutions: [...ranges.solutions.map(([text]) => [text, text]), ["not counted", "not counted"]],
  tag: number(cells.flatMap(tags)).map(([value, count]) => [value, `${value} (${count})`]),
};

function isIn(name, value, text) {
  if (text === "") return value === "varies" || value === "not counted";
  const range = ranges[name].find(([label]) => label === value);
  return Boolean(range) && Number(text) >= range[1] && Number(text) <= range[2];
}

const tests = {
  lattice: (cell, value) => cell.dataset.lattice === value,
  pieces: (cell, value) => isIn("pieces", value, cell.dataset.pieces),
  solutions: (cell, value) => isIn("solutions", value, cell.dataset.solutions),
  tag: (cell, value) => tags(cell).includes(value),
};

const form = document.createElement("form");
form.className = "filters";
form.setAttribute("role", "search");
form.setAttribute("aria-label", "Filter the gallery");
const asked = new URLSearchParams(location.search);
const fields = {};
for (const [name, label] of Object.entries(names)) {
  const select = document.createElement("select");
  select.name = name;
  select.add(new Option("any", ""));
  for (const [value, text] of choices[name]) select.add(new Option(text, value));
  const wanted = asked.get(name);
  if (choices[name].some(([value]) => value === wanted)) select.value = wanted;
  const field = document.createElement("label");
  field.append(`${label} `, select);
  form.append(field);
  fields[name] = select;
}
const reset = document.createElement("button");
reset.type = "reset";
reset.textContent = "Show all";
const status = document.createElement("output");
status.setAttribute("aria-live", "polite");
form.append(reset, status);
article.insertBefore(form, first);

function filter() {
  const chosen = Object.entries(fields).filter(([, select]) => select.value);
  let shown = 0;
  for (const cell of cells) {
    cell.hidden = !chosen.every(([name, select]) => tests[name](cell, select.value));
    shown += !cell.hidden;
  }
  for (const { all, cells: own, texts } of sections) {
    const isEmpty = own.every(cell => cell.hidden);
    for (const each of all) each.hidden = isEmpty;
    if (chosen.length) for (const each of texts) each.hidden = true;
  }
  reset.disabled = !chosen.length;
  status.textContent = `${shown} of ${cells.length} puzzles`;
  const words = new URLSearchParams(chosen.map(([name, select]) => [name, select.value]));
  history.replaceState(null, "", (chosen.length ? `?${words}` : location.pathname) + location.hash);
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
filter();
