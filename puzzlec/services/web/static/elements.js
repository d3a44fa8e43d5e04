// Elements of the page. Functions make them, so texts of users never become markup.

import { phrase, withCode } from "./words.js";

export { grouped, withCode } from "./words.js";

/** Return an element with attributes (functions become listeners) and children (texts or elements). */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Fill a group with buttons [value, attributes, ...content]; `act` gets the value of one. */
export function choices(group, buttons, act) {
  group.replaceChildren(...buttons.map(([value, attributes, ...content]) => make("button", { type: "button", "data-value": value, click: () => act(value), ...attributes }, ...content)));
}

/** Show which buttons of a group are chosen. */
export function press(group, values) {
  for (const button of group.children) button.setAttribute("aria-pressed", String(values.includes(button.dataset.value)));
}

export const byId = (name) => document.getElementById(name);

/** Put words into an element, which is hidden without any. */
export function tell(name, words) {
  byId(name).textContent = words;
  byId(name).hidden = !words;
}

/** Put words into an element, with a class for their kind. Words in backticks become code. */
export function say(name, words, kind) {
  byId(name).replaceChildren();
  withCode(byId(name), words);
  byId(name).className = kind;
}

/** Return an element of SVG with attributes and children. */
export function element(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Save data as a download. */
export function saved(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

const addresses = new WeakMap();

/** Put a picture into an element: text, or SVG as an image, which cannot run scripts or change styles. */
export function picture(element, found, words) {
  if (addresses.has(element)) URL.revokeObjectURL(addresses.get(element));
  element.replaceChildren();
  if (found.svg) {
    const address = URL.createObjectURL(new Blob([found.svg], { type: "image/svg+xml" }));
    addresses.set(element, address);
    element.append(make("img", { src: address, alt: words, draggable: "false" }));
  } else if (found.text) {
    element.append(make("pre", { class: "drawn", "aria-label": words }, found.text));
  } else if (found.remark) {
    element.append(make("p", { class: "remark" }, found.remark));
  }
}

/** Return a number of seconds in a suitable unit. */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  const years = seconds / 31556952;
  if (years < 1) return phrase("days", { n: Math.round(seconds / 86400) });
  return phrase("years", { n: Math.round(years) });
}
