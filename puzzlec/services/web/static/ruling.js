// Rules by click: some choices become a statement of the text, and the rules of the text can be removed.

import { make } from "./elements.js";
import { state } from "./state.js";
import { toast } from "./toast.js";
import { learn, phrase } from "./words.js";

await learn("rule");

// The kinds of rules, and the fields that each has.
const KINDS = {
  "all-different": ["where"], "all-equal": ["where"], sum: ["value", "where"],
  exactly: ["value", "piece", "where"], "at-most": ["value", "piece", "where"], "at-least": ["value", "piece", "where"],
  inside: ["piece", "where"], on: ["piece", "where"], off: ["piece", "where"],
  apart: ["piece", "other"], touching: ["piece", "other"],
};
const PAIRS = ["apart", "touching"];
const PLACES = ["inside", "on", "off"];
const EACH = ["row-column", "row", "column", "diagonal", "region"];
const LINE = /^(?:rule|place|apart|touching|no|at|symmetric)\b[^{}\n]*\n?/gm; // a rule with its line
const NAMED = ["cells", "board", "border", "corner", "centre"];

/** Make the form in a host. While it is visible, a click on the `board` chooses cells. `change` changes the text. */
export function form(host, board, change, editor) {
  const field = (name, element) => [name, make("label", {}, `${phrase(`rule.${name}`)} `, element)];
  const kind = make("select", { id: "rule-kind", change: fit }, Object.keys(KINDS).map((name) => make("option", { value: name }, phrase(`rule.${name}`))));
  const value = make("input", { id: "rule-value", value: "1", size: 5, inputmode: "numeric" });
  const [piece, other, where] = ["piece", "other", "where"].map((name) => make("select", { id: `rule-${name}`, change: fit }));
  const fields = Object.fromEntries([field("value", value), field("piece", piece), field("other", other), field("where", where)]);
  const told = make("small", { role: "status" });
  const rules = make("ul");
  host.append(
    make("label", {}, `${phrase("rule")} `, kind), ...Object.values(fields),
    make("button", { type: "submit", class: "main" }, phrase("rule.add")), told, rules);
  host.addEventListener("submit", add);
  board.addEventListener("pick", () => {
    where.value = "cells";
    count();
  });
  board.addEventListener("level", () => host.hidden || fit());

  /** Offer what suits the kind of rule and the board. */
  function fit() {
    const shown = KINDS[kind.value];
    const place = PLACES.includes(kind.value);
    const each = EACH.filter((part) => !place && (part !== "diagonal" || board.data.lattice === "square") && (part !== "region" || board.data.regions));
    const names = board.data.pieces.map(({ name }) => [name, name]);
    options(where, [...each, ...NAMED].map((name) => [name, phrase(`rule.where.${name}`)]));
    options(piece, [...(place ? [] : [["", phrase(PAIRS.includes(kind.value) ? "rule.each" : "rule.any")]]), ...names]);
    options(other, [["border", phrase("rule.where.border")], ...names].filter(([name]) => name !== "border" || kind.value === "touching"));
    for (const [name, label] of Object.entries(fields)) label.hidden = !shown.includes(name) || (name === "other" && !piece.value);
    count();
    list();
  }

  function options(select, pairs) {
    const before = select.value;
    select.replaceChildren(...pairs.map(([name, words]) => make("option", { value: name }, words)));
    if (pairs.some(([name]) => name === before)) select.value = before;
  }

  function count() {
    told.textContent = fields.where.hidden ? "" : phrase("rule.picked", { n: board.picked?.size ?? 0 });
  }

  /** Show the rules of the text, except in loops and drawings. */
  function list() {
    rules.replaceChildren(...[...state.text.matchAll(LINE)].map(({ 0: line, index }) =>
      make("li", {}, make("code", {}, line.trim()), make("button", {
        type: "button", class: "quiet", title: phrase("rule.remove"), "aria-label": `${phrase("rule.remove")}: ${line.trim()}`,
        click: () => editor.apply([[index, index + line.length, ""]], null),
      }, "✕"))));
  }

  async function add(event) {
    event.preventDefault();
    const shown = KINDS[kind.value];
    const chosen = { value: value.value.trim(), piece: piece.value, other: piece.value && other.value, where: where.value };
    const wanted = { do: "rule", rule: kind.value, cells: where.value === "cells" ? [...board.picked.values()] : [] };
    for (const name of shown) if (chosen[name]) wanted[name] = chosen[name];
    if (!(await change(wanted))) return;
    board.pick(true);
    toast(phrase("rule.added"));
    count();
  }

  return (open) => {
    host.hidden = !open;
    board.pick(open);
    if (open) fit();
  };
}
