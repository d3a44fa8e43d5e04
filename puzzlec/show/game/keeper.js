// A game that is kept: in the storage of the browser until the next visit, and in a link for others.

class Keeper {
  constructor(owner) {
    this.owner = owner;
    this.name = `puzzlec.play.${digest(JSON.stringify(owner.game.data))}`;
    const linked = new URLSearchParams(location.hash.slice(1)).get("play");
    if (linked !== null) return void this.show(linked);
    const kept = this.stored();
    if (kept) this.show(kept.play, kept);
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
    try {
      localStorage.setItem(this.name, JSON.stringify({play: this.written(), moves: owner.moves, helped: owner.helped, seconds: owner.time()}));
    } catch {
      // the browser stores nothing for this page
    }
  }

  /** Returns the state of the game as a text for a link. */
  written() {
    return this.owner.placed.join(".");
  }

  /** Shows a state of the game, unless the text is wrong. */
  show(text, {moves = 0, helped = 0, seconds = 0} = {}) {
    const {owner} = this, {game} = owner, placed = text ? text.split(".").map(Number) : [];
    const fits = placed.every((number, k) => game.placements[number] && !game.inTheWay(placed.slice(0, k), number).length && game.left(placed.slice(0, k), game.placements[number].piece) > 0);
    if (!fits || !placed.length) return;
    owner.history = [{placed: []}, {placed}];
    Object.assign(owner, {moves, helped, seconds});
    owner.settle();
    owner.say(game.isSolved(placed) ? owner.solvedWords(placed) : phrase("game.continued"));
  }

  /** Puts a link to this state into the address and the clipboard. */
  async share() {
    const link = `${location.href.split("#")[0]}#play=${this.written()}`;
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

/** Returns a short name of a text (FNV-1a). */
function digest(text) {
  let found = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) found = Math.imul(found ^ text.charCodeAt(k), 0x01000193) >>> 0;
  return found.toString(36);
}
