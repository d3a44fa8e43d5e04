// Words about the picture.

/** Returns the words for a state: the solution, the progress of the assembly, and the selected piece. */
function wordsFor({ puzzle, bodies, solution, playing, selected }) {
  const words = [];
  if (!puzzle.number) {
    if (puzzle.chart) return "";
    words.push(phrase(bodies.length ? "view.boardAndPieces" : "view.emptyBoard"));
  }
  if (puzzle.number > 1) words.push(phrase("view.solutionOf", { number: solution + 1, all: puzzle.number }));
  const { steps } = playing;
  if (steps && steps.length) {
    const turn = playing.goal;
    const there = steps.slice(0, turn).flatMap((step) => step.bodies).length;
    words.push(playing.plan ? phrase("view.moveOf", { number: turn, all: steps.length }) : phrase("view.piecesOf", { number: there, n: bodies.length }));
    if (turn) words.push(stepWords(steps[turn - 1], bodies, puzzle.flat));
    if (turn && !playing.plan && !puzzle.data.walls && !puzzle.flat && steps[turn - 1].way) words.push(phrase("view.noWalls"));
    if (playing.whole && steps.length > 1 && steps[0].together) words.push(stepWords(steps[0], bodies));
    if (playing.held || (steps[0].together && playing.why)) words.push(phrase(`view.why.${playing.why}`));
    if (playing.held) words.push(heldWords(playing.held, bodies));
  }
  if (selected !== null) words.push(phrase("view.selected", { name: puzzle.data.pieces[selected.piece].name }));
  return words.join(" · ");
}

/** Returns the words for the smallest set of pieces that holds itself together. */
function heldWords({ hold, walled }, bodies) {
  const names = hold.map((number) => bodies[number].name);
  const who = names.length > 4 ? countedNames(names) : names.join(", ");
  return walled ? phrase("view.holdWithWalls", { who }) : phrase("view.hold", { who, n: names.length });
}

/** Returns the words for a step: the pieces that come or move and their direction, or the pieces that interlock. */
function stepWords(step, bodies, flat) {
  const names = step.bodies.map((number) => bodies[number].name);
  if (!step.way) return step.together ? phrase("view.interlock", { who: countedNames(names) }) : names.join(", ");
  const who = names.length > 4 ? phrase("view.pieces.n", { n: names.length }) : names.join(", ");
  const n = names.length;
  if (step.about) {
    const { axis, angle } = step.about;
    return phrase("view.turn", { who, n, how: phrase(`view.turn.${flat ? "flat" : "xyz"[axis]}.${angle < 0 ? "clockwise" : "back"}`) });
  }
  if (step.leave === false) return phrase("view.move", { who, n, to: sideWords("to", step.way) });
  return phrase("view.come", { who, n, from: sideWords("from", step.way) });
}

/** Returns the words for a move out of the assembly: the names of the pieces, their way, and how far. */
function moveWords(names, way, distance, leave) {
  const who = names.length > 4 ? countedNames(names) : names.join(", ");
  const to = sideWords("to", way);
  if (leave) return phrase("view.out", { who, to });
  return distance > 1 ? phrase("view.farther", { who, to, n: distance }) : `${who} ${to}`;
}

/** Returns names with the number of copies of each: 11 pieces (A ×10, B). A name may be a number, so it comes first. */
function countedNames(names) {
  const copies = new Map();
  for (const name of names) copies.set(name, (copies.get(name) || 0) + 1);
  const listed = [...copies].map(([name, number]) => (number > 1 ? `${name} ×${number}` : name));
  const more = listed.length > 6 ? [...listed.slice(0, 5), phrase("view.others", { n: listed.length - 5 })] : listed;
  return `${phrase("view.pieces.n", { n: names.length })} (${more.join(", ")})`;
}

/** Returns the size of a body, and the colours of its sides if it is a tile, or of its cells if it shows its own. */
function sizeWords(body, puzzle) {
  const sides = body.sides.length ? `, ${body.sides.map((side) => puzzle.signs[side]).join(" ")}` : "";
  const shown = Array.from(body.paint, (colour) => (colour ? puzzle.data.colours[colour - 1] : "x"));
  const paint = shown.some((colour) => colour !== "x") ? `, ${shown.join(" ")}` : "";
  return `${phrase("view.cells", { n: body.locations.length })}${sides}${paint}`;
}

/** Returns the number of copies of a piece, or their range; nothing for one copy. */
function copiesWords(puzzle, { low, high }, number) {
  if (puzzle.number) return number === 1 ? "" : number ? `× ${number}` : phrase("view.notUsed");
  if (high === null || high === undefined) return low ? phrase("view.orMore", { low }) : phrase("view.anyNumber");
  if (low === high) return low === 1 ? "" : `× ${low}`;
  return `× ${low}–${high}`;
}

/** Returns the rows of the list of pieces, for {@link Controls}. */
function rowsFor(puzzle, bodies, isHidden, selected) {
  const { pieces, dyes } = puzzle.data;
  const owned = pieces.map(() => []);
  for (const body of bodies) owned[body.piece].push(body);
  return pieces.map((piece, number) => {
    const own = owned[number];
    const tile = own.length > 0 && own[0].sides.length > 0;
    const colours = tile ? own[0].sides.map((side) => dyes[side]) : [...new Set(own.map((body) => fillOf(puzzle, body)))];
    if (!puzzle.number && !own.length) colours.push(fillOf(puzzle, { piece: number }));
    return {
      piece: number, name: piece.name, colours, tile, there: own.length > 0, copies: copiesWords(puzzle, piece, own.length),
      hidden: own.length > 0 && own.every(isHidden), selected: selected !== null && selected.piece === number,
    };
  });
}
