"""The table of codes: each kind of diagnostic, grouped by the stage that finds it.

The meaning of a code never changes. Its page in ``docs/errors/`` has an example that fails, and the fixed example.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Severity(Enum):
    """How serious a diagnostic is: an error stops the compilation, a warning and a note do not.

    >>> import puzzlec
    >>> try:
    ...     puzzlec.parse("piece A { xx }")
    ... except puzzlec.PuzzleError as error:
    ...     print(error.diagnostics[0].severity is puzzlec.Severity.ERROR)
    True
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Code(NamedTuple):
    """Severity and title of a code."""

    severity: Severity
    title: str


def _table(text: str) -> dict[str, Code]:
    rows = (line.split(None, 2) for line in text.strip().splitlines() if line and not line.startswith("#"))
    return {code: Code(Severity(severity), title) for code, severity, title in rows}


CODES: dict[str, Code] = _table("""
# 0: files and names of files
PZ001 error   cannot read a file
PZ002 error   file is not text
PZ003 error   file is empty
PZ004 error   unknown format
PZ005 error   cannot write a file
PZ006 error   unknown name
PZ007 error   file is too large
PZ008 error   format can only be written
PZ009 error   format can only be read
PZ010 warning name is a file and a catalogue puzzle
PZ012 error no generated puzzle has the promised property
# 1: the form of a .puzzle text
PZ101 error   unexpected token in a statement
PZ102 error   line does not begin with a statement
PZ103 error   bracket is never closed
PZ104 error   closing bracket without an opening one
PZ105 error   quoted name is never closed
PZ106 error   brackets are nested too deeply
PZ107 error   text is not in the puzzle language
# 2: the form of other formats
PZ201 error   expected a number
PZ202 error   unexpected end of the text
PZ203 error   text continues after its end
PZ204 error   location is out of range
PZ205 error   duplicate location in a placement
PZ206 warning piece has no placement
PZ207 warning placement covers no location
PZ208 warning duplicate placement
PZ211 error   wrong number of dimensions
PZ212 error   colour flag is neither 0 nor 1
PZ213 error   number of rotations is not 1 to 24
PZ214 error   duplicate cell
PZ215 error   number is too small
PZ221 error   rows of a board differ in length
PZ222 error   unexpected character in a board
PZ223 error   text is ambiguous
PZ224 error   cannot read a drawing
PZ225 error   cannot read an IQ Puzzler text
PZ226 error   invalid option of a generator
PZ227 error   row is ambiguous
PZ228 error   cannot read a burr stick
PZ229 error   cannot read a tile
PZ230 warning part of a text is ignored
PZ231 error   text is not well-formed XML
PZ232 error   XML defines entities
PZ233 error   XML element or attribute is missing or wrong
PZ234 error   cannot read a piece of puzzlecad
PZ236 error   cannot read a sudoku
PZ241 error   cannot read a shape array
PZ242 error   shape array mixes orientations of different pieces
PZ251 error   missing board for a format of pieces
PZ252 error   unknown form of a board
PZ253 error   symmetry group is too large
PZ261 warning part of an XMPuzzle text is ignored
PZ262 error   XMPuzzle element or attribute is missing or wrong
PZ263 error   cannot read the voxels of a shape
PZ264 error   voxel is outside the grid
PZ265 error   unknown shape or colour in an XMPuzzle text
PZ266 error   piece has optional voxels
PZ267 error   cannot read a stored assembly
PZ268 warning row name begins with a number
PZ269 warning cells of a listed piece are not connected
PZ271 error   text is not well-formed JSON
PZ272 error   duplicate key in a JSON object
PZ273 error   unknown key in a JSON object
PZ274 error   missing key in a JSON object
PZ275 error   JSON value has the wrong type
PZ276 error   JSON values contradict each other
PZ281 error   item line of an exact cover is wrong
PZ282 error   unknown item in an option
PZ283 error   duplicate item in an option
PZ284 error   item has a wrong colour
PZ285 warning option has no primary item
PZ287 error   cannot read a row of an exact cover
PZ288 error   cannot read a polyomino or polycube cell
PZ289 error   polyomino or polycube piece is wrong
PZ291 error   cannot read a list of cells
PZ292 error   wrong number of coordinates in a cell
PZ293 error   duplicate cell in a piece
PZ294 error   cannot read a Polyform Puzzler text
PZ295 warning solution omits a piece of unknown shape
PZ296 error   cannot read a Soma figure
PZ297 warning cells of a letter differ from its piece
PZ298 warning file has several puzzles
PZ299 error   unknown problem
# 3: what a puzzle says
PZ301 error   duplicate piece
PZ302 error   unknown lattice
PZ303 error   undeclared colour
PZ304 error   unknown shape library
PZ305 error   unknown piece in a shape library
PZ306 error   unknown piece
PZ307 error   duplicate statement
PZ308 error   puzzle has no locations
PZ309 error   puzzle has no pieces
PZ310 error   duplicate location
PZ311 error   unknown location
PZ312 error   wrong number of coordinates for the lattice
PZ313 error   layers of a drawing do not match
PZ314 error   drawing or piece has no cells
PZ315 error   unexpected cell in a drawing
PZ316 error   fixed placement is impossible
PZ317 warning forbidden placement is impossible anyway
PZ318 error   shape library belongs to another lattice
PZ319 error   range runs backwards
PZ320 error   statement does not suit the lattice
PZ321 error   region is too large
PZ322 error   invalid colour
PZ323 error   title is not the first statement
PZ324 error   piece is fixed in two ways
PZ325 error   puzzle has too many placements
PZ326 error   unknown variable
PZ327 error   division by zero
PZ328 error   expression has the wrong type
PZ329 error   loops create too many statements
PZ330 error   duplicate variable
PZ331 error   unknown parameter
PZ332 warning loop has no iterations
PZ333 error   value is not a colour
PZ334 error   colour is matched with two others
PZ335 warning statement about coloured sides has no effect
PZ336 error   piece has a wrong number of coloured sides
PZ337 error   board cannot wrap around this way
PZ338 error   unknown axis
PZ339 error   tiles do not suit a wrap-around board
PZ340 error   lattice file is not plain YAML
PZ341 error   unknown key in a lattice file
PZ342 error   duplicate key in a lattice file
PZ343 error   missing key in a lattice file
PZ344 error   lattice file value has the wrong type
PZ345 error   lattice vector or list has a wrong length
PZ346 error   lattice file fails verification
PZ347 error   lattice file exceeds a limit
PZ348 warning rows of a drawing begin in different columns
PZ350 error   missing size for a shape family
PZ351 error   invalid size for a shape family
PZ352 error   unexpected size for shapes of a fixed size
PZ353 warning drawing is connected only at corners
PZ354 error   colours of an unconnected piece of balls are lost
PZ355 error   too many values in a sweep
PZ356 warning duplicate name after `only` or `except`
PZ357 error   BurrTools problem is a draft
PZ359 error   sweep has no values
PZ360 error   puzzle has no ranges of copies
PZ361 error   character cannot name a region
PZ362 error   unknown region
PZ363 error   region is empty
PZ364 error   no numbers have this sum
PZ365 error   cell under a rule shows no number
PZ366 error   no placement can satisfy a rule
PZ367 error   no clues give this number of solutions
PZ368 error   puzzle has fewer solutions than the target
PZ369 error   puzzle cannot have clues of this kind
PZ370 error   fixed pieces share a location
PZ371 error   name is already that of another thing
PZ372 error   region depends on itself
PZ373 error   rule about how pieces meet is impossible here
PZ374 error   file cannot be used
PZ380 error   piece has its own shape
PZ381 warning mirror image of a free piece
PZ382 error   number differs from `expect`
PZ383 warning `expect` is not checked
PZ384 note    lattice follows from a part of the puzzle
PZ385 error   unknown colour for pictures
PZ386 warning rule about how pieces meet has no effect
# 4: puzzles that cannot have a solution
PZ401 error   pieces and board differ in size
PZ402 error   colours cannot match
PZ403 error   no placement covers a location
PZ404 error   piece fits nowhere
PZ405 error   a colouring proves that no solution exists
PZ406 error   item has too few options
PZ407 error   options cover too few or too many items
# 5: what a format cannot say
PZ501 error   target format cannot express something
PZ502 error   text cannot be raised to the target stage
PZ503 error   output in the target format is too large
PZ504 error   puzzle cannot be drawn or made this way
PZ505 error   required package is not installed
PZ506 error   sizes leave no printable piece
PZ507 error   puzzle is too large for a page
PZ508 error   page cannot be served
# 6: solutions found elsewhere
PZ601 error   no known notation matches the solution
PZ602 error   cannot read a line of a solution
PZ603 error   unknown piece in a solution
PZ604 error   unknown location in a solution
PZ605 error   solution has too few or too many entries
PZ606 error   unknown placement in a solution
PZ607 error   unknown notation of solutions
PZ608 error   assignment to show is not a solution
PZ611 error   unknown kind of answer
PZ612 error   cannot read part of an answer
PZ613 error   unknown variable, option or item in an answer
PZ614 error   answer variable is not 0 or 1
PZ615 error   answer contradicts itself
PZ616 error   answer is incomplete
PZ617 error   answer is not a solution
PZ618 error   items in an answer match no option
PZ619 error   answer belongs to another puzzle
PZ620 error   folder contains no checkpoint or is unusable
PZ621 error   another process uses the checkpoint
PZ622 error   checkpoint is damaged
PZ623 error   checkpoint was made by another version
PZ624 error   cannot reach a cluster, or lost it
PZ625 error   cluster workers run another version of puzzlec
PZ626 error   work unit repeatedly killed its worker
PZ627 error   checkpoint belongs to another puzzle or other settings
PZ628 error   shards do not belong together
# 7: taking assemblies apart
PZ629 error   shard is invalid
PZ630 error   cannot read a condition on solutions
PZ631 error   checkpoint solutions cannot be shown this way
PZ632 error   cannot read a certificate
PZ633 error   certificate does not prove its claim
PZ634 error   certificate belongs to another puzzle
PZ635 error   cannot make a certificate
PZ636 error   certificate has a wrong exact cover
PZ637 error   kernel needs numba
PZ638 error   search workers cannot start
PZ639 error   invalid condition on a number of a solution
PZ640 error   file is a certificate, not a puzzle
PZ645 error   language server cannot listen
PZ647 error   cluster cannot take an assembly apart
PZ701 error   pieces of the puzzle cannot be moved
PZ702 error   unknown piece in a group
PZ703 error   board is too large to take apart
PZ704 error   wall covers a location
PZ705 error   board cannot have a wall
PZ706 error   wall has no cells
PZ707 warning format cannot store walls, groups or colours of pieces
PZ708 error   these symmetries change the disassembly
PZ709 error   limit reached before the level is known
PZ710 error   checkpoint has disassemblies with other settings
PZ714 warning BurrTools can move immovable pieces
PZ715 warning BurrTools stores no moves on this grid
PZ716 error   no solution comes apart
PZ717 error   costs do not fit into 64 bits
PZ718 warning format cannot store the costs
PZ719 error   puzzle has no costs
PZ720 error   pieces cannot turn on this lattice
PZ721 error   lattice has no half steps
""")

#: The codes of proofs that a puzzle has no solution.
NO_SOLUTION_CODES = frozenset(code for code in CODES if code.startswith("PZ4"))
