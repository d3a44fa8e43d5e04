const games = [JSON.parse(document.getElementById("data").textContent)].flat(), asked = new URLSearchParams(location.hash.slice(1)).get("scene");
new PuzzleGame(document.getElementById("game"), games.find(({scene}) => scene === asked) ?? games[0]);
