"use strict";
const element = document.getElementById("view");
new PuzzleView(element, JSON.parse(document.getElementById("data").textContent), { keys: "page" });
