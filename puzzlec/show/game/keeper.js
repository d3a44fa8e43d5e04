// A game that is kept: in the storage of the browser until the next visit, and in a link for others.

/** The members of the data that are only about colours: another palette shows the same game. */
const PAINTED = ["fill", "fills", "ink", "wood"];

class Keeper {
  constructor(owner) {
    this.owner = owner;
    this.name = `puzzlec.play.${digest(JSON.stringify(owner.game.data, (key, value) => (PAINTED.includes(key) ? undefined : value)))}`;
    const linked = new URLSearchParams(location.hash.slice(1));
    const {begin} = owner.game.data;
    const kept = linked.has("play") ? Object.fromEntries(linked) : begin ? begin.length && {play: begin.join(".")} : this.stored();
    if (kept) this.show(kept);
  }

  stored() {
    try {
      return JSON.parse(localStorage.getItem(this.name));
    } catch {
      return null; // the browser stores nothing for this page
    }
  }

  keep() {
    const {owner} = this;
    if (owner.game.data.begin) return;
    try {
      localStorage.setItem(this.name, JSON.stringify({...this.written(), moves: owner.moves, helped: owner.helped, seconds: owner.time()}));
    } catch {
      // the browser stores nothing for this page
    }
  }

  /** Returns the state of the game as texts for a link: the placements, and the moves that take them apart. */
  written() {
    const {placed, apart, filled} = this.owner.history.at(-1), {scene} = this.owner.game.data;
    return {...(scene ? {scene} : {}), play: placed.join("."), ...(filled ? {filled} : {}), ...(apart ? {apart: apart.moves.map(textOf).join("_")} : {})};
  }

  /** Shows a state of the game, unless the texts are wrong. */
  show({play = "", apart, filled, moves = 0, helped = 0, seconds = 0}) {
    const {owner} = this, {game} = owner, placed = numbersOf(play);
    const fits = owner.given.every(number => placed.includes(number)) && placed.every((number, k) => game.placements[number] && !game.inTheWay(placed.slice(0, k), number).length && game.left(placed.slice(0, k), game.placements[number].piece) > 0);
    if (!fits) return;
    const states = apart === undefined || !game.board.stage || !game.isSolved(placed) ? [{placed: owner.given}, {placed, ...(filled ? {filled} : {})}] : this.replayed(placed, apart);
    if (placed.length) owner.history = states;
    else owner.history = [{placed}];
    Object.assign(owner, {moves, helped, seconds});
    owner.settle();
    if (!placed.length || owner.game.data.begin) return;
    owner.say(!owner.apart && game.isSolved(placed) ? owner.solvedWords(placed) : phrase("game.continued"));
  }

  /** Returns the states of an assembly as moves take it apart, up to the first one that is wrong. */
  replayed(placed, apart) {
    const assembly = new Assembly(this.owner.game, this.owner.view.puzzle, placed), states = [{placed, apart: assembly.start}];
    for (const move of apart.split("_").filter(Boolean)) {
      const after = assembly.moved(states.at(-1).apart, moveOf(move, assembly.none.length));
      if (!after) break;
      states.push({placed, apart: after});
    }
    return states;
  }

  /** Puts a link to this state into the address and the clipboard. */
  async share() {
    const link = `${location.href.split("#")[0]}#${new URLSearchParams(this.written())}`;
    try {
      history.replaceState(null, "", link);
    } catch {
      // a frame of a notebook has no address
    }
    try {
      await navigator.clipboard.writeText(link);
      this.owner.say(phrase("game.copied"));
    } catch {
      this.owner.say(phrase("game.link"));
    }
  }
}

function numbersOf(text) {
  return text ? text.split(".").map(Number) : [];
}

/** Returns a move as a text: a slide as its bodies, way and count, a turn as a `t`, its number, its vector and its bodies. */
function textOf({bodies, way, count, turn, by}) {
  return by ? `t${[turn, ...by, ...bodies].join(".")}` : [...bodies, way, count].join(".");
}

function moveOf(text, size) {
  const numbers = numbersOf(text.replace("t", ""));
  if (text[0] === "t") return {turn: numbers[0], by: numbers.slice(1, size + 1), bodies: numbers.slice(size + 1)};
  return {bodies: numbers.slice(0, -2), way: numbers.at(-2), count: numbers.at(-1)};
}

/** Returns a short name of a text (FNV-1a). */
function digest(text) {
  let found = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) found = Math.imul(found ^ text.charCodeAt(k), 0x01000193) >>> 0;
  return found.toString(36);
}
