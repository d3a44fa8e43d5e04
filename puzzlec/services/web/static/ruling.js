// Rules by click: some choices become a statement of the text, and the rules of the text can be removed.

import { byId, make } from "./elements.js";
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
const OF_VALUES = ["all-different", "all-equal", "sum"];
const PAIRS = ["apart", "touching"];
const PLACES = ["inside", "on", "off"];
const EACH = ["row-column", "row", "column", "diagonal", "region"];
// A rule with its line, and before it what shows that it is in a loop.
const LINE = /^([ \t]+|for\b[^{}\n]*\{ *)?((?:rule|place|apart|touching|no|at|symmetric)\b[^\n]*\n?)/gm;
const NAMED = ["cells", "board", "border", "corner", "centre"];

/** Make the form in a host. While it is visible, a click on the `board` chooses cells. `change` changes the text. */
export function form(host, board, change, editor) {
  const field = (name, element) => [name, make("label", {}, `${phrase(`rule.${name}`)} `, element)];
  const kind = make("select", { id: "rule-kind", change: fit });
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
    const others = Object.keys(KINDS).filter((name) => !OF_VALUES.includes(name));
    options(kind, (board.data.valued ? [...OF_VALUES, ...others] : [...others, ...OF_VALUES]).map((name) => [name, phrase(`rule.${name}`)]));
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

  /** Show the rules of the text. A rule of a loop or with a drawing is more than its line, so its button leads there. */
  function list() {
    rules.replaceChildren(...[...state.text.matchAll(LINE)].map(({ 0: { length }, 1: before = "", 2: rule, index }) => {
      const whole = !before && !/[{}]/.test(rule);
      const line = rule.replace(/[{}\s]+$/, "");
      const name = phrase(whole ? "rule.remove" : "rule.find");
      const act = () => whole ? editor.apply([[index, index + length, ""]], null) : find(index + before.length, line.length);
      return make("li", {}, make("code", {}, line), make("button", { type: "button", class: "quiet", title: name, "aria-label": `${name}: ${line}`, click: act }, whole ? "✕" : "→"));
    }));
  }

  function find(start, length) {
    byId("tab-text").click(); // on a phone
    editor.goTo(start, start + length);
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
