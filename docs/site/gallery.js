// Filters on the page of the gallery, and families that open. Without this script the page shows every puzzle.
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

// The puzzle of the day, below the filters.
const today = ofTheDay([...facts].map(([cell, { solutions }]) => ({ name: cell.dataset.name, solutions, cell })));
const daily = document.createElement("p");
daily.className = "daily";
const heading = document.createElement("span");
heading.textContent = "Puzzle of the day";
const title = document.createElement("b");
title.textContent = today.cell.dataset.title;
const count = document.createElement("span");
count.textContent = today.cell.lastChild.textContent;
const link = today.cell.querySelector("a").cloneNode(true);
link.querySelector("img").alt = ""; // its title follows
link.append(heading, title, count);
daily.append(link);
article.insertBefore(daily, first);

// A family shows one row of its pictures until it is opened.
for (const section of sections) {
  const more = document.createElement("button");
  more.type = "button";
  more.addEventListener("click", () => {
    section.isOpen = !section.isOpen;
    filter();
  });
  const line = document.createElement("p");
  line.className = "more";
  line.append(more);
  section.cells.at(-1).closest("table").after(line);
  section.all.push(line);
  section.more = more;
}

function openNamed() {
  const named = sections.find(({ all }) => `#${all[0].id}` === location.hash);
  if (named) named.isOpen = true;
}

function filter() {
  const chosen = Object.entries(fields).filter(([, select]) => select.value);
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = chosen.length > 0 || wanted.length > 0;
  const row = Math.max(4, getComputedStyle(cells[0].closest("tbody")).gridTemplateColumns.split(" ").length);
  const fitting = cell => chosen.every(([name, select]) => fits(facts.get(cell), name, select.value)) && wanted.every(word => cell.textContent.toLowerCase().includes(word));
  let shown = 0;
  for (const { all, cells: own, texts, entries, more, isOpen } of sections) {
    const some = own.filter(fitting), isWhole = isOpen || isFiltered || own.length <= row;
    for (const cell of own) cell.hidden = true;
    for (const cell of isWhole ? some : some.slice(0, row)) cell.hidden = false;
    for (const element of [...all, ...entries]) element.hidden = !some.length;
    for (const element of texts) element.hidden = isFiltered || !isWhole;
    more.parentElement.hidden = isFiltered || own.length <= row;
    more.textContent = isOpen ? "Show fewer" : `Show all ${own.length}`;
    more.setAttribute("aria-expanded", String(Boolean(isOpen)));
    shown += some.length;
  }
  daily.hidden = isFiltered;
  reset.disabled = !isFiltered;
  status.textContent = shown ? `${shown} of ${cells.length} puzzles` : "No puzzle fits";
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
addEventListener("hashchange", () => {
  openNamed();
  filter();
});
addEventListener("resize", () => filter());
openNamed();
filter();
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
