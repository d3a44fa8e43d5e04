// The rules of a puzzle: its placements, which of them are free, and whether placements solve it.

/** A puzzle: its locations, and its placements by number. */
class Game {
  constructor(data) {
    const {board} = data;
    this.data = data;
    this.board = board;
    this.flat = board.steps.length < 3;
    const flat = unpacked(board.points), of = unpacked(board.of), dimension = board.steps.length;
    this.points = Array.from(of, (_, k) => Array.from(flat.subarray(k * dimension, (k + 1) * dimension)));
    this.of = Array.from(of);
    this.optional = new Set(unpacked(board.optional));
    const walls = unpacked(data.walls?.points), kinds = unpacked(data.walls?.kinds);
    this.walls = {points: Array.from(kinds, (_, k) => Array.from(walls.subarray(k * dimension, (k + 1) * dimension))), of: Array.from(kinds)};
    this.tints = new Map((data.rules?.regions || []).filter(({tint}) => tint).flatMap(({rules, tint}) => data.regions[rules[0]].at.map(at => [at, tint])));
    const number = new Map(this.points.map((point, k) => [point.join(), k]));
    this.placements = [];
    this.byKey = new Map();
    this.pieces = data.pieces.map((piece, k) => ({...piece, forms: piece.forms.map((form, f) => this.enter(k, f, form, number))}));
    this.crossings = data.crossings.map(unpacked);
    this.solutions = rowsOf(data.solutions);
    this.symmetries = data.symmetries.map(symmetry => ({locations: unpacked(symmetry.locations), pieces: unpacked(symmetry.pieces)}));
  }

  /** Returns an orientation with its points; enters its placements. */
  enter(piece, form, {points, of, colours, at}, number) {
    const dimension = this.board.steps.length, first = this.placements.length;
    const own = of.map((_, k) => points.slice(k * dimension, (k + 1) * dimension));
    for (const start of unpacked(at)) {
      const cells = own.map(point => number.get(point.map((value, k) => value + this.points[start][k]).join()));
      this.byKey.set(keyOf(piece, cells, colours), this.placements.length);
      this.placements.push({piece, form, start, cells, colours});
    }
    return {points: own, of, colours, first, after: this.placements.length};
  }

  /** Returns how many more copies of a piece may be placed. */
  left(placed, piece) {
    const used = placed.filter(number => this.placements[number].piece === piece).length;
    return (this.pieces[piece].high ?? Infinity) - used;
  }

  /** Returns for each location the placement that covers it, or -1. */
  owners(placed) {
    const found = new Int32Array(this.points.length).fill(-1);
    for (const number of placed) for (const at of this.placements[number].cells) found[at] = number;
    return found;
  }

  /** Returns the placements that leave no room for another one: those below it, and those that it would cross. */
  inTheWay(placed, number) {
    const owners = this.owners(placed);
    const found = new Set(this.placements[number].cells.map(at => owners[at]).filter(owner => owner >= 0));
    for (const pairs of this.crossings)
      if (this.takes(number, pairs)) for (const other of placed) if (this.takes(other, pairs)) found.add(other);
    return [...found];
  }

  /** Returns whether a placement takes one of the ways through a point: both locations of a pair. */
  takes(number, pairs) {
    const {cells} = this.placements[number];
    for (let k = 0; k < pairs.length; k += 2) if (cells.includes(pairs[k]) && cells.includes(pairs[k + 1])) return true;
    return false;
  }

  /** Returns whether placements solve the puzzle by its rules; stored solutions are not used. */
  isSolved(placed) {
    const covered = new Int32Array(this.points.length), copies = new Int32Array(this.pieces.length);
    for (const number of placed) {
      copies[this.placements[number].piece]++;
      for (const at of this.placements[number].cells) covered[at]++;
    }
    if (covered.some((times, at) => times > 1 || (!times && !this.optional.has(at)))) return false;
    if (this.pieces.some(({low, high}, k) => copies[k] < low || copies[k] > (high ?? Infinity))) return false;
    const empty = covered.filter(times => !times).length, [least, most] = this.data.empty;
    if (least !== undefined && (empty < least || empty > most)) return false;
    if (this.crossings.some(pairs => placed.filter(number => this.takes(number, pairs)).length > 1)) return false;
    return !this.broken(placed).size;
  }

  /** Returns whether all locations that must be covered are covered. */
  isFull(placed) {
    const owners = this.owners(placed);
    return owners.every((owner, at) => owner >= 0 || this.optional.has(at));
  }

  /** Returns how many locations placements cover, and how many they cover at the end; optional ones count if all do. */
  coverage(placed) {
    const [least, most] = this.data.empty, {points, optional} = this, isExact = least !== undefined && least === most;
    const counts = isExact || optional.size === points.length;
    const number = this.owners(placed).filter((owner, at) => owner >= 0 && (counts || !optional.has(at))).length;
    return {number, all: points.length - (isExact ? least : counts ? 0 : optional.size)};
  }

  /** Returns the numbers of the rules that placements break, so that no further piece helps. */
  broken(placed) {
    const full = this.isFull(placed);
    return new Set(this.data.regions.flatMap((rule, number) => (this.obeys(placed, rule, full) ? [] : [number])));
  }

  /** Returns the points, lines and sides at which the pieces break a rule about how they meet. */
  brokenJoints(placed) {
    const full = this.isFull(placed), kinds = ["count", "crossed", "parted"];
    return this.data.regions.flatMap(({parts = []}) => parts.filter(part => kinds.includes(part.kind) && !this.obeys(placed, part, full)));
  }

  /** Returns whether the pieces and colours on a region may still obey its rule; `full`: whether they obey it. */
  obeys(placed, {kind, at, low, high, piece, pieces, pairs, parts}, full = true) {
    if (parts) return parts.every(part => this.obeys(placed, part, full));
    if (kind === "symmetric") return !full || this.isSymmetric(placed, new Map(pairs), pieces || []);
    if (kind === "touching") return !full || this.touch(placed, pairs, pieces);
    const region = new Set(at), shown = [];
    if (kind === "count" || kind === "crossed" || kind === "parted") {
      const counts = {
        count: ({cells}) => cells.some(cell => region.has(cell)),
        crossed: ({cells}) => cells.some(cell => region.has(cell)) && !cells.every(cell => region.has(cell)),
        parted: ({cells}) => cells.some(cell => region.has(cell)) && !at.every(cell => cells.includes(cell)),
      }[kind];
      const on = placed.map(number => this.placements[number]).filter(counts);
      const number = on.filter(placement => (pieces ? pieces.includes(placement.piece) : piece === undefined || placement.piece === piece)).length;
      return number <= high && (number >= low || !full);
    }
    let covered = 0;
    for (const number of placed) {
      const {cells, colours} = this.placements[number];
      cells.forEach((cell, k) => {
        if (!region.has(cell)) return;
        covered++;
        if (colours?.[k]) shown.push(this.board.colours[colours[k] - 1]);
      });
    }
    if (kind === "equal") return new Set(shown).size < 2;
    if (kind === "different") return new Set(shown).size === shown.length;
    const sum = shown.reduce((total, colour) => total + (/^(?:[0-9]|[1-9][0-9]{1,2})$/.test(colour) ? Number(colour) : 0), 0);
    return sum <= high && (sum >= low || (!full && covered < region.size));
  }

  /** Returns whether each placement goes to a placement: locations by a map, a piece to the next one of its pair. */
  isSymmetric(placed, to, pieces) {
    const keyOfImage = ({piece, cells, colours}) => {
      const pair = pieces.findIndex((other, k) => k % 2 === 0 && other === piece);
      return keyOf(pair < 0 ? piece : pieces[pair + 1], cells.map(at => to.get(at)), colours);
    };
    return placed.every(number => placed.includes(this.byKey.get(keyOfImage(this.placements[number]))));
  }

  /** Returns whether two pieces cover the two locations of a pair. */
  touch(placed, pairs, pieces) {
    const owner = at => this.placements[at]?.piece, owners = this.owners(placed);
    return pairs.some(pair => pieces.every(piece => pair.some(at => owner(owners[at]) === piece)));
  }
}

/** Returns a name for a placement: its piece, and its locations with the colours on them. */
function keyOf(piece, cells, colours) {
  return `${piece}:${cells.map((at, k) => (colours ? at * 4096 + colours[k] : at)).sort((a, b) => a - b)}`;
}

/** Returns the lists that `stored` in data.py has packed. */
function rowsOf({number, shared, more, numbers}) {
  const same = unpacked(shared), others = unpacked(more), all = unpacked(numbers), found = [];
  for (let k = 0, at = 0; k < number; k++) {
    found.push([...(k ? found[k - 1].slice(0, same[k]) : []), ...all.subarray(at, at + others[k])]);
    at += others[k];
  }
  return found;
}
