// Starts `puzzlec lsp` and lets the editor talk to it. All that is known of puzzles is known there.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = vscode.workspace.getConfiguration("puzzlec").get("command");
  const files = [
    { language: "puzzle" },
    { pattern: "**/*.{dpf,compact,board,xmpuzzle,offsets,dlx,rows,numeric,polycube,cells,polyform,soma,burr,csv,drawn,iqpuzzler,kanoodle,poly,tiles,universe,ccxc,xcc,xc,sudoku,sdk}" },
  ];
  client = new LanguageClient("puzzlec", "puzzlec", { command, args: ["lsp"] }, { documentSelector: files });
  return client.start();
};

exports.deactivate = () => client && client.stop();
