// A puzzle without geometry: its solution as a table, with a column for each location if there are few. If the
// names show a grid, as in sudoku, the grid is large and the table is folded.

const MOST_COLUMNS = 80;

/** Fills an element with a solution of a puzzle; `chosen` is called with a body when its row is clicked. */
function drawChart(element, puzzle, bodies, solution, { hidden, selected, chosen }) {
  const names = puzzle.data.locations;
  const { grids } = puzzle.data;
  const grid = grids && solution >= 0 && solution < grids.number ? drawGrid(grids, solution, puzzle.data.title) : null;
  const found = [];
  if (bodies.length) found.push(drawTable(puzzle, bodies, { hidden, selected, chosen }));
  const covered = new Set(bodies.flatMap((body) => Array.from(body.locations)));
  const left = names.filter((_, k) => !covered.has(k));
  if (left.length) found.push(paragraph(`${phrase(bodies.length ? "view.uncovered" : "view.locations")}: ${left.slice(0, 500).join(" · ")}${left.length > 500 ? " …" : ""}`));
  if (grid) {
    const fold = make("details", {}, make("summary", {}, phrase("view.places")), ...found);
    fold.open = Boolean(element.querySelector("details")?.open);
    found.splice(0, found.length, grid, fold);
  }
  const { scrollTop, scrollLeft } = element;
  element.replaceChildren(...found);
  Object.assign(element, { scrollTop, scrollLeft });
}

/** Returns a table with a row for each body and the locations that it covers. */
function drawTable(puzzle, bodies, { hidden, selected, chosen }) {
  const names = puzzle.data.locations;
  const table = make("table", { class: "covers" });
  const columns = names.length <= MOST_COLUMNS;
  const head = table.createTHead().insertRow();
  head.append(cellOf("th", phrase("view.piece")));
  if (columns) for (const name of names) head.append(cellOf("th", name, "upright"));
  else head.append(cellOf("th", phrase("view.covers")));
  const rows = table.createTBody();
  for (const body of bodies) {
    if (hidden.has(body.number)) continue;
    const row = rows.insertRow();
    row.dataset.body = body.number;
    row.classList.toggle("selected", selected.has(body.number));
    row.append(cellOf("th", body.name));
    const hue = fillOf(puzzle, body);
    const covered = new Set(body.locations);
    if (columns) {
      for (let k = 0; k < names.length; k++) {
        const cell = cellOf("td", "");
        if (covered.has(k)) {
          cell.className = "covered";
          cell.style.background = hue;
          cell.title = `${body.name}: ${names[k]}`;
        }
        row.append(cell);
      }
    } else {
      const cell = cellOf("td", Array.from(covered, (location) => names[location]).join(" · "));
      cell.style.borderLeft = `0.6em solid ${hue}`;
      row.append(cell);
    }
    row.addEventListener("click", () => chosen(body.number));
  }
  return table;
}

/** Returns a solution as a grid: a sign in each cell, thick borders between areas, a chessboard under queens. */
function drawGrid(grids, solution, title) {
  const cells = unpacked(grids.cells);
  const areas = unpacked(grids.areas);
  const number = cells.length / 2;
  const signs = unpacked(grids.signs).subarray(solution * number, (solution + 1) * number);
  const queens = grids.words.includes("Q");
  const at = new Map();
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < number; k++) {
    const [x, y] = [cells[2 * k], cells[2 * k + 1]];
    at.set(`${x},${y}`, k);
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  const areaAt = (x, y) => (at.has(`${x},${y}`) ? areas[at.get(`${x},${y}`)] : -2);
  const table = make("table", { class: "grid", "aria-label": title || phrase("view.solution") });
  table.style.setProperty("--rows", bottom - top + 1);
  table.style.setProperty("--columns", right - left + 1);
  for (let y = top; y <= bottom; y++) {
    const row = table.insertRow();
    for (let x = left; x <= right; x++) {
      const cell = row.insertCell();
      const k = at.get(`${x},${y}`);
      if (k === undefined) continue;
      const word = grids.words[signs[k]];
      cell.textContent = queens ? (word === "Q" ? "♛" : "") : word;
      cell.className = (queens ? (x + y) % 2 : areas[k] % 2) === 1 ? "place shaded" : "place";
      const thick = [[0, -1, "Top"], [1, 0, "Right"], [0, 1, "Bottom"], [-1, 0, "Left"]].filter(([dx, dy]) => areaAt(x + dx, y + dy) !== areas[k]);
      for (const [, , side] of thick) cell.style[`border${side}Width`] = "2.5px";
      for (const [, , side] of thick) cell.style[`border${side}Color`] = "var(--ink)";
    }
  }
  return table;
}

function cellOf(kind, text, name) {
  return name ? make(kind, { class: name }, make("span", {}, text)) : make(kind, {}, text);
}

function paragraph(text) {
  return make("p", {}, text);
}
