// Filters on the page of the gallery. Without this script the page shows every puzzle.
import { choices as choicesOf, fits, names } from "./filters.js";

const cells = [...document.querySelectorAll("td[data-lattice]")];
const article = document.querySelector("article");
const first = article.querySelector("h2");

// A section is a heading of a family and everything up to the next one.
const sections = [];
for (let element = first; element; element = element.nextElementSibling) {
  if (element.tagName === "H2") sections.push({ all: [], cells: [], texts: [] });
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
    cell.hidden = !chosen.every(([name, select]) => fits(facts.get(cell), name, select.value));
    shown += !cell.hidden;
  }
  for (const { all, cells: own, texts } of sections) {
    const isEmpty = own.every(cell => cell.hidden);
    for (const element of all) element.hidden = isEmpty;
    if (chosen.length) for (const element of texts) element.hidden = true;
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
