"""The commands by name, and where the function of each is."""

from __future__ import annotations

#: The commands, in the order of the help: where the function of each is.
COMMANDS = {
    "solve": "solve.solve",
    "count": "count.count",
    "solutions": "solutions.solutions",
    "disassemble": "disassemble.disassemble_puzzle",
    "estimate": "estimate.estimate",
    "resume": "resume.resume",
    "status": "status.status",
    "merge": "merge.merge",
    "check": "check.check",
    "show": "show.show",
    "draw": "draw.draw",
    "view": "view.view",
    "explain": "explain.explain",
    "compile": "compile.compile_puzzle",
    "convert": "convert.convert",
    "lift": "lift.lift",
    "model": "model.model",
    "formats": "formats.formats",
    "new": "new.new",
    "fmt": "fmt.fmt",
    "list": "list_.list_puzzles",
    "verify": "verify.verify_catalogue",
    "shapes": "shapes.shapes",
    "lattice": "lattice.lattice",
    "serve": "serve.serve",
    "lsp": "lsp.lsp",
    "completion": "completion.completion",
    "man": "man.man",
    "help": "help_.help_command",
}
