// A puzzle without geometry: its solution as a table, with a column for each location where there are few.

const MOST_COLUMNS = 80;

/** Fills an element with a solution of a puzzle as a table; `chosen` is called with a body when it is clicked. */
function drawChart(element, puzzle, bodies, { hidden, selected, chosen }) {
  const names = puzzle.data.locations;
  element.replaceChildren();
  const table = document.createElement("table");
  const columns = names.length <= MOST_COLUMNS;
  const head = table.createTHead().insertRow();
  head.append(cellOf("th", "piece"));
  if (columns) for (const name of names) head.append(cellOf("th", name, "upright"));
  else head.append(cellOf("th", "covers"));
  const rows = table.createTBody();
  for (const body of bodies) {
    if (hidden.has(body.number)) continue;
    const row = rows.insertRow();
    row.dataset.body = body.number;
    row.classList.toggle("selected", selected === body.number);
    row.append(cellOf("th", body.name));
    const covered = new Set(body.locations);
    if (columns) {
      for (let k = 0; k < names.length; k++) {
        const cell = cellOf("td", "");
        if (covered.has(k)) {
          cell.className = "covered";
          cell.style.background = puzzle.data.hues[body.hue];
          cell.title = `${body.name}: ${names[k]}`;
        }
        row.append(cell);
      }
    } else {
      const cell = cellOf("td", Array.from(covered, (each) => names[each]).join(" · "));
      cell.style.borderLeft = `0.6em solid ${puzzle.data.hues[body.hue]}`;
      row.append(cell);
    }
    row.addEventListener("click", () => chosen(body.number));
  }
  const left = names.filter((_, k) => !bodies.some((body) => body.locations.includes(k)));
  element.append(table);
  if (bodies.length && left.length) element.append(paragraph(`not covered: ${left.slice(0, 200).join(" · ")}${left.length > 200 ? " …" : ""}`));
  if (!bodies.length) element.append(paragraph(`locations: ${names.slice(0, 500).join(" · ")}${names.length > 500 ? " …" : ""}`));
}

function cellOf(kind, text, name) {
  const cell = document.createElement(kind);
  const inner = name ? document.createElement("span") : cell;
  inner.textContent = text;
  if (name) {
    cell.className = name;
    cell.append(inner);
  }
  return cell;
}

function paragraph(text) {
  const found = document.createElement("p");
  found.textContent = text;
  return found;
}
