new PuzzleGame(document.getElementById("game"), JSON.parse(document.getElementById("data").textContent));
