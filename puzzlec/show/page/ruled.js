// The outlines of regions with rules, above the picture of a flat board.

const SVG = "http://www.w3.org/2000/svg";

function drawnAs(name, attributes, ...inside) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  found.append(...inside);
  return found;
}

/** Outlines on the upper side of a board. Each picture puts them where its camera sees them. */
class Outlines {
  constructor(picture) {
    this.picture = picture;
    this.regions = [];
  }

  /** Takes the rules of a puzzle. */
  load(puzzle) {
    const { regions = [], band = 0, letters = 0 } = (puzzle.flat && puzzle.data.rules) || {};
    this.sizes = { band, letters };
    this.top = Math.max(0, ...(puzzle.data.forms || []).flatMap(({ faces = [] }) => faces.flatMap(({ corners }) => corners.map((corner) => corner[2]))));
    this.regions = regions.map((region) => {
      const line = drawnAs("path", {});
      const label = drawnAs("text", {}, region.label);
      const group = drawnAs("g", { class: "region" }, line, label);
      group.style.color = region.colour; // a policy may forbid it as an attribute
      return { ...region, line, label, group };
    });
    this.picture.replaceChildren(...this.regions.map(({ group }) => group));
  }

  /** Puts the outlines where a camera sees them: `project` returns the pixel of a place. */
  paint(project, shown) {
    this.picture.toggleAttribute("hidden", !shown || !this.regions.length);
    if (!shown) return;
    const spot = (x, y) => project([x, -y, this.top]);
    for (const { at, parts, line, label } of this.regions) {
      const [x, y] = spot(at[0], at[1]);
      const [right] = spot(at[0] + 0.5, at[1]);
      const [left] = spot(at[0] - 0.5, at[1]);
      const unit = Math.max(1, right - left);
      const ring = (flat) => flat.flatMap((value, k) => (k % 2 ? [] : [spot(value, flat[k + 1])])).map(([a, b], k) => `${k ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join("");
      line.setAttribute("d", parts.flatMap(({ rings }) => rings).map((flat) => `${ring(flat)}Z`).join(""));
      line.setAttribute("stroke-width", (this.sizes.band * unit).toFixed(2));
      for (const [key, value] of [["x", x], ["y", y], ["font-size", this.sizes.letters * unit]]) label.setAttribute(key, value.toFixed(1));
    }
  }
}
