// Words about the picture.

/** Returns the words for a state: the solution, the progress of the assembly, and the selected piece. */
function wordsFor({ puzzle, bodies, solution, playing, selected }) {
  const words = [];
  if (!puzzle.number) {
    if (puzzle.chart) return "";
    words.push(bodies.length ? "the empty board and the pieces" : "the empty board");
  }
  if (puzzle.number > 1) words.push(`solution ${solution + 1} of ${puzzle.number}`);
  const { steps } = playing;
  if (steps && steps.length) {
    const turn = playing.goal;
    const there = steps.slice(0, turn).flatMap((step) => step.bodies).length;
    words.push(playing.plan ? `move ${turn} of ${steps.length}` : `${there} of ${bodies.length} pieces`);
    if (turn) words.push(stepWords(steps[turn - 1], bodies));
    if (turn && !playing.plan && !puzzle.data.walls && !puzzle.flat && steps[turn - 1].way) words.push("as if the box had no walls");
    if (playing.whole && steps.length > 1 && steps[0].together) words.push(stepWords(steps[0], bodies));
    if (playing.held || (steps[0].together && playing.why)) words.push(WHY[playing.why]);
    if (playing.held) words.push(heldWords(playing.held, bodies));
  }
  if (selected !== null) words.push(`${puzzle.data.pieces[selected.piece].name} selected`);
  return words.join(" · ");
}

const WHY = { stuck: "it does not come apart by moves of the lattice", open: "no plan was found within the limits of a page" };

/** Returns the words for the smallest set of pieces that holds itself together. */
function heldWords({ hold, walled }, bodies) {
  const names = hold.map((number) => bodies[number].name);
  const who = names.length > 4 ? countedNames(names) : names.join(", ");
  return `${who}${walled ? " and the walls" : ""} hold${names.length === 1 && !walled ? "s" : ""} together`;
}

// The sides of the stage: from where a piece comes, and to where it moves. The numbers are an axis and a sign.
const SIDES = [
  [2, -1, "above", "down"],
  [2, 1, "below", "up"],
  [1, 1, "the front", "to the back"],
  [1, -1, "behind", "to the front"],
  [0, -1, "the right", "to the left"],
  [0, 1, "the left", "to the right"],
];

/** Returns the words for a step: the pieces that come or move and their direction, or the pieces that interlock. */
function stepWords(step, bodies) {
  const names = step.bodies.map((number) => bodies[number].name);
  if (!step.way) return step.together ? `${countedNames(names)} interlock: none comes out alone in the directions tried` : names.join(", ");
  const who = names.length > 4 ? `${names.length} pieces` : names.join(", ");
  const several = names.length > 1;
  const sides = SIDES.filter(([axis, sign]) => sign * step.way[axis] > 0.3);
  if (step.leave === false) return `${who} ${several ? "move" : "moves"} ${sides.map((side) => side[3]).join(", ") || "aside"}`;
  return `${who} ${several ? "come" : "comes"} from ${sides.map((side) => side[2]).join(", ") || "beside"}`;
}

/** Returns the words for a move out of the assembly: the names of the pieces, their way, and how far. */
function moveWords(names, way, distance, leave) {
  const who = names.length > 4 ? countedNames(names) : names.join(", ");
  const to = SIDES.filter(([axis, sign]) => sign * way[axis] > 0.3).map((side) => side[3]).join(", ") || "aside";
  if (leave) return `${who} out, ${to}`;
  return `${who} ${to}${distance > 1 ? `, ${distance} steps` : ""}`;
}

/** Returns names with the number of copies of each: 11 pieces (10 A, 1 B). */
function countedNames(names) {
  const copies = new Map();
  for (const name of names) copies.set(name, (copies.get(name) || 0) + 1);
  const several = [...copies.values()].some((number) => number > 1);
  const listed = [...copies].map(([name, number]) => (several ? `${number} ${name}` : name));
  const more = listed.length > 6 ? [...listed.slice(0, 5), `${listed.length - 5} others`] : listed;
  return `${names.length} pieces (${more.join(", ")})`;
}

/** Returns the size of a body, and the colours of its sides if it is a tile, or of its cells if it shows its own. */
function sizeWords(body, puzzle) {
  const sides = body.sides.length ? `, ${body.sides.map((side) => puzzle.signs[side]).join(" ")}` : "";
  const shown = Array.from(body.paint, (colour) => (colour ? puzzle.data.colours[colour - 1] : "x"));
  const paint = shown.some((each) => each !== "x") ? `, ${shown.join(" ")}` : "";
  return `${body.locations.length === 1 ? "1 cell" : `${body.locations.length} cells`}${sides}${paint}`;
}

/** Returns the number of copies of a piece, or their range; nothing for one copy. */
function copiesWords(puzzle, { low, high }, number) {
  if (puzzle.number) return number === 1 ? "" : number ? `× ${number}` : "not used";
  if (high === null || high === undefined) return low ? `× ${low} or more` : "any number";
  if (low === high) return low === 1 ? "" : `× ${low}`;
  return `× ${low} to ${high}`;
}

/** Returns the rows of the list of pieces, for {@link Controls}. */
function rowsFor(puzzle, bodies, isHidden, selected) {
  const { pieces, hues, dyes } = puzzle.data;
  const owned = pieces.map(() => []);
  for (const body of bodies) owned[body.piece].push(body);
  return pieces.map((piece, number) => {
    const own = owned[number];
    const tile = own.length > 0 && own[0].sides.length > 0;
    const colours = tile ? own[0].sides.map((side) => dyes[side]) : [...new Set(own.map((body) => hues[body.hue]))];
    if (!puzzle.number && !own.length) colours.push(hues[number % hues.length]);
    return {
      piece: number, name: piece.name, colours, tile, there: own.length > 0, copies: copiesWords(puzzle, piece, own.length),
      hidden: own.length > 0 && own.every(isHidden), selected: selected !== null && selected.piece === number,
    };
  });
}
