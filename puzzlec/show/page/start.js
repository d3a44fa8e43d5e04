"use strict";
const element = document.getElementById("view");
const view = new PuzzleView(element, JSON.parse(document.getElementById("data").textContent), { keys: "page" });

// The address has what is shown: `#solution=17&turn=...&step=3&palette=wood`. A part is absent as long as it is as at first.
const PARTS = { palette: "palette", solution: "solution", turn: "view", step: "step" };
const first = { ...element.dataset };

function fromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (text) => (/^\d{1,9}$/.test(text || "") ? Number(text) : null);
  if (asked.has("palette")) view.colours(asked.get("palette"));
  if (number(asked.get("solution"))) view.show(number(asked.get("solution")) - 1);
  if (number(asked.get("step")) !== null) view.stepTo(number(asked.get("step")));
  const turn = (asked.get("turn") || "").split(" ").map(Number);
  if (turn.length === 5 && turn.every(Number.isFinite)) view.lookFrom(turn);
}

function toAddress() {
  const shown = new URLSearchParams();
  for (const [name, data] of Object.entries(PARTS)) if (element.dataset[data] !== first[data]) shown.set(name, element.dataset[data]);
  const hash = shown.size ? `#${shown}` : "";
  if (hash === location.hash) return;
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    // a frame of a notebook has no address
  }
}

if (location.hash.length > 1) fromAddress();
window.addEventListener("hashchange", fromAddress);
let writing = 0;
new MutationObserver(() => {
  clearTimeout(writing);
  writing = setTimeout(toAddress, 200); // browsers allow few changes in a second
}).observe(element, { attributes: true, attributeFilter: Object.values(PARTS).map((name) => `data-${name}`) });
