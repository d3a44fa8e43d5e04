// Around the picture: title, list of pieces, and the controls, each with a name for screen readers.

/** Returns an element with attributes and content. Attributes that begin with `on` are listeners. */
function make(kind, settings = {}, ...inside) {
  const found = document.createElement(kind);
  for (const [name, value] of Object.entries(settings)) {
    if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else if (value === true) found.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) found.setAttribute(name, value);
  }
  found.append(...inside.filter((child) => child !== null && child !== undefined));
  return found;
}

// Pictures of buttons, as paths on a sheet of 24 x 24.
const ICONS = {
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  back: "M17 6l-8 6 8 6zM7 6v12",
  forth: "M7 6l8 6-8 6zM17 6v12",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  home: "M4 11l8-7 8 7M6 10v9h12v-9",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  all: "M2 12c4-7 16-7 20 0-4 7-16 7-20 0zM12 9a3 3 0 1 0 .01 0z",
  hidden: "M2 12c4-7 16-7 20 0-4 7-16 7-20 0zM4 20L20 4",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14",
  keys: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
};

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

function button(name, label, key, act, says = label) {
  const title = key ? `${says} (${key})` : says;
  return make("button", { type: "button", title, "aria-label": label, "data-does": name, onclick: act }, icon(name));
}

// Keys and fingers, each with the end of its two keys in the file of a language: what to do, and what it does.
const KEYS = ["turn", "zoom", "move", "home", "explode", "steps", "play", "solutions", "select", "hide", "board", "whole"];

const PALETTES = ["standard", "wood", "quiet"];

/** The elements of a view. `act` has a function for each action. */
class Controls {
  constructor(root, act) {
    this.act = act;
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": phrase("view.puzzle") });
    this.label = make("div", { class: "label", hidden: true });
    this.notice = make("p", { class: "notice", hidden: true });
    this.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
    this.chart = make("div", { class: "chart", hidden: true, tabindex: "0", role: "region", "aria-label": phrase("view.table") });
    this.keys = make("div", { class: "keys", hidden: true, tabindex: "0", role: "dialog", "aria-label": phrase("view.keys") });
    this.keys.append(make("dl", {}, ...KEYS.flatMap((name) => [make("dt", {}, phrase(`view.key.${name}`)), make("dd", {}, phrase(`view.does.${name}`))])));
    this.ruled = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.ruled.setAttribute("class", "ruled");
    this.ruled.setAttribute("aria-hidden", "true");
    this.rules = make("ul", { class: "rules", tabindex: "0", "aria-label": phrase("rules.heading"), hidden: true });
    this.stage = make("div", { class: "stage" }, this.canvas, this.ruled, this.rules, this.chart, this.label, this.notice, this.status, this.keys);
    this.title = make("h1");
    this.remark = make("p", { class: "remark" });
    this.list = make("ul");
    this.rows = [];
    this.showAll = make("button", { type: "button", class: "words", "data-does": "all", title: `${phrase("view.showAllPieces")} (a)`, onclick: act.showAll }, phrase("view.showAll"));
    this.palette = make("select", { "aria-label": phrase("view.colours"), title: phrase("view.colours"), onchange: () => act.colours(this.palette.value) }, ...PALETTES.map((name) => make("option", { value: name }, phrase(`view.palette.${name}`))));
    const heading = make("h2", {}, phrase("view.pieces"));
    this.pieces = make("aside", { "aria-label": phrase("view.pieces") }, make("div", { class: "above" }, heading, this.palette, this.showAll), this.list);
    this.bar = make("div", { class: "controls", role: "group", "aria-label": phrase("view.controls") }, this._solutions(), this._assembly(), this._exploding(), this._others());
    root.replaceChildren(make("header", {}, this.title, this.remark), this.stage, this.pieces, this.bar);
  }

  _solutions() {
    const { act } = this;
    this.number = make("input", { type: "number", min: "1", value: "1", inputmode: "numeric", "aria-label": phrase("view.number"), title: phrase("view.number"), onchange: () => act.solution(this.number.value) });
    this.of = make("span", { class: "of" });
    this.solutions = make("div", { class: "group", role: "group", "aria-label": phrase("view.solutions") }, button("previous", phrase("view.previous"), "p", act.previous), this.number, this.of, button("next", phrase("view.next"), "n", act.next));
    return this.solutions;
  }

  _assembly() {
    const { act } = this;
    this.step = make("input", { type: "range", min: "0", max: "1", step: "1", value: "0", "aria-label": phrase("view.steps"), title: `${phrase("view.stepsDone")} (, .)`, oninput: () => act.step(Number(this.step.value)) });
    this.play = button("play", phrase("view.play"), phrase("view.space"), act.play);
    this.assembly = make("div", { class: "group", role: "group", "aria-label": phrase("view.assembly") }, button("back", phrase("view.back"), ",", act.back), this.play, button("forth", phrase("view.forth"), ".", act.forth), make("label", {}, make("span", {}, phrase("view.assembly")), this.step));
    return this.assembly;
  }

  _exploding() {
    this.explode = make("input", { type: "range", min: "0", max: "100", value: "0", "aria-label": phrase("view.explode"), title: `${phrase("view.distance")} (e)`, oninput: () => this.act.explode(Number(this.explode.value) / 100) });
    this.exploding = make("div", { class: "group" }, make("label", {}, make("span", {}, phrase("view.explode")), this.explode));
    return this.exploding;
  }

  _others() {
    const { act } = this;
    this.board = button("board", phrase("view.emptyBoard"), "b", act.board, phrase("view.showBoard"));
    this.board.setAttribute("aria-pressed", "false");
    this.home = button("home", phrase("view.does.home"), "r", act.reset);
    this.save = button("save", phrase("view.save"), "s", act.save);
    this.whole = button("whole", phrase("view.whole"), "f", act.whole);
    return make("div", { class: "group last" }, this.home, this.board, this.save, this.whole, button("keys", phrase("view.keys"), "?", act.keys, phrase("view.keysDo")));
  }

  /** Fills the list of pieces. Rows that are there stay, so that the row with the focus keeps it. */
  fill(rows) {
    if (this.rows.length !== rows.length) {
      this.rows = rows.map((row) => new Row(row.piece, this.act));
      this.list.replaceChildren(...this.rows.map((row) => row.item));
    }
    rows.forEach((row, k) => this.rows[k].show(row));
  }

  /** Says whether a piece is hidden. If none is, the button to show all is off, and loses the focus. */
  allShown(now) {
    if (now && document.activeElement === this.showAll) this.canvas.focus({ preventScroll: true });
    this.showAll.disabled = now;
  }

  /** Exchanges the picture and the name of the button that plays. */
  playing(now) {
    const does = phrase(now ? "view.pause" : "view.play");
    this.play.replaceChildren(icon(now ? "pause" : "play"));
    this.play.setAttribute("aria-label", does);
    this.play.title = `${does} (${phrase("view.space")})`;
  }
}

/** A piece in the list: it is selected by its name, and hidden by its eye. */
class Row {
  constructor(piece, act) {
    this.swatch = make("span", { class: "swatch" });
    this.text = make("span", { class: "text" });
    this.copies = make("span", { class: "copies" });
    this.name = make("button", { type: "button", class: "name", onclick: () => act.choosePiece(piece) }, this.swatch, this.text, this.copies);
    this.eye = make("button", { type: "button", class: "eye", onclick: () => act.hide(piece) });
    this.item = make("li", { "data-piece": piece }, this.name, this.eye);
  }

  /** Shows `{piece, name, colours, tile, there, copies, hidden, selected}`, if any of it changed. */
  show(row) {
    const key = JSON.stringify(row);
    if (key === this.key) return;
    this.key = key;
    this.swatch.style.background = swatchOf(row);
    this.text.textContent = row.name;
    this.copies.textContent = row.copies;
    this.copies.hidden = !row.copies;
    this.item.className = row.hidden ? "hidden" : row.there ? "" : "unused";
    this.name.disabled = this.eye.disabled = !row.there;
    this.name.title = phrase("view.select", { name: row.name });
    this.name.setAttribute("aria-pressed", String(row.selected));
    this.eye.title = phrase(row.hidden ? "view.show" : "view.hide", { name: row.name });
    this.eye.setAttribute("aria-label", phrase("view.hide", { name: row.name }));
    this.eye.setAttribute("aria-pressed", String(row.hidden));
    this.eye.replaceChildren(icon(row.hidden ? "hidden" : "all"));
  }
}

/** Returns the fill of a swatch: the colour of a piece, the colours of its copies, or those of the sides of a tile. */
function swatchOf({ colours, tile }) {
  if (colours.length < 2) return colours[0] || "transparent";
  const part = (tile ? 360 : 100) / (tile ? colours.length : Math.min(colours.length, 4));
  const unit = tile ? "deg" : "%";
  const stops = colours.slice(0, tile ? colours.length : 4).map((colour, k) => `${colour} ${k * part}${unit} ${(k + 1) * part}${unit}`);
  return tile ? `conic-gradient(from ${-part / 2}deg, ${stops.join(", ")})` : `linear-gradient(135deg, ${stops.join(", ")})`;
}
