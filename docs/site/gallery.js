// Filters on the page of the gallery. Without this script the page shows every puzzle.
import { choices as choicesOf, fits, names, ofTheDay } from "./filters.js";

const cells = [...document.querySelectorAll("td[data-lattice]")];
const article = document.querySelector("article");
const first = article.querySelector("h2");

// A section is a heading of a family and everything up to the next one.
const contents = document.querySelectorAll(".md-nav--secondary a");
const sections = [];
for (let element = first; element; element = element.nextElementSibling) {
  if (element.tagName === "H2") sections.push({ all: [], cells: [], texts: [], entries: [...contents].filter(link => link.hash === `#${element.id}`).map(link => link.closest("li")) });
  const section = sections.at(-1);
  const found = [...element.querySelectorAll("td[data-lattice]")];
  section.all.push(element);
  section.cells.push(...found);
  if (element.tagName !== "H2" && !found.length) section.texts.push(element);
}

const facts = new Map(cells.map(cell => [cell, { ...cell.dataset, tags: cell.dataset.tags.split("|").filter(Boolean) }]));
const choices = choicesOf([...facts.values()]);

const form = document.createElement("form");
form.className = "filters";
form.setAttribute("role", "search");
form.setAttribute("aria-label", "Filter the gallery");
const asked = new URLSearchParams(location.search);
const fields = {};
const words = document.createElement("input");
Object.assign(words, { type: "search", name: "words", value: asked.get("words") || "", spellcheck: false });
const label = document.createElement("label");
label.append("Name ", words);
form.append(label);
for (const [name, text] of Object.entries(names)) {
  const select = document.createElement("select");
  select.name = name;
  select.add(new Option("any", ""));
  for (const [value, option, more = ""] of choices[name]) select.add(new Option(option + more, value));
  const wanted = asked.get(name);
  if (choices[name].some(([value]) => value === wanted)) select.value = wanted;
  const field = document.createElement("label");
  field.append(`${text} `, select);
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

// The puzzle of the day, above the filters.
const today = ofTheDay([...facts].map(([cell, { solutions }]) => ({ name: cell.dataset.name, solutions, cell })));
const daily = document.createElement("p");
daily.className = "daily";
const heading = document.createElement("b");
heading.textContent = "Puzzle of the day";
const link = today.cell.querySelector("a").cloneNode(true);
link.querySelector("img").alt = ""; // its title follows
link.append(today.cell.dataset.title);
daily.append(heading, link);
article.insertBefore(daily, form);

function filter() {
  const chosen = Object.entries(fields).filter(([, select]) => select.value);
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = chosen.length > 0 || wanted.length > 0;
  let shown = 0;
  for (const cell of cells) {
    const named = () => wanted.every(word => cell.textContent.toLowerCase().includes(word));
    cell.hidden = !(chosen.every(([name, select]) => fits(facts.get(cell), name, select.value)) && named());
    shown += !cell.hidden;
  }
  for (const { all, cells: own, texts, entries } of sections) {
    const isEmpty = own.every(cell => cell.hidden);
    for (const element of [...all, ...entries]) element.hidden = isEmpty;
    if (isFiltered) for (const element of texts) element.hidden = true;
  }
  reset.disabled = !isFiltered;
  status.textContent = `${shown} of ${cells.length} puzzles`;
  const parts = chosen.map(([name, select]) => [name, select.value]);
  const query = new URLSearchParams(wanted.length ? [["words", wanted.join(" ")], ...parts] : parts);
  history.replaceState(null, "", (isFiltered ? `?${query}` : location.pathname) + location.hash);
}

form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", event => {
  event.preventDefault(); // the address may be the first state of the fields
  for (const field of [words, ...Object.values(fields)]) field.value = "";
  filter();
});
filter();
