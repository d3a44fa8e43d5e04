"""The table of codes: every kind of diagnostic, by the stage that finds it. A code is never used again.

Each code has a page in ``docs/errors/`` with an example that fails and the same example mended.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Severity(Enum):
    """An error stops the compilation; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Code(NamedTuple):
    """What a code stands for."""

    severity: Severity
    title: str


def _table(text: str) -> dict[str, Code]:
    rows = (line.split(None, 2) for line in text.strip().splitlines() if line and not line.startswith("#"))
    return {code: Code(Severity(severity), title) for code, severity, title in rows}


CODES: dict[str, Code] = _table("""
# 0: files and names of files
PZ001 error   a file cannot be read
PZ002 error   a file holds no text
PZ003 error   a file is empty
PZ004 error   the format of a text is not known
PZ005 error   a file cannot be written
PZ006 error   there is nothing with this name
PZ007 error   a file is too large
PZ008 error   a text of this format is written, not read
PZ009 error   a text of this format is read, not written
PZ010 warning a puzzle of the catalogue has the name of a file, too
# 1: the form of a .puzzle text
PZ101 error   a statement goes on in an unexpected way
PZ102 error   a line does not begin with a statement
PZ103 error   a bracket is never closed
PZ104 error   a closing bracket closes nothing
PZ105 error   a quoted name is never closed
PZ106 error   brackets are nested too deeply
# 2: the form of other formats
PZ201 error   a number was expected
PZ202 error   the text ends early
PZ203 error   the text goes on after its end
PZ204 error   a location is out of range
PZ205 error   a location stands twice in one placement
PZ206 warning a piece has no placement
PZ207 warning a placement covers no location
PZ208 warning two placements of a piece are equal
PZ211 error   the number of dimensions is not 1, 2 or 3
PZ212 error   the sign for colours is neither 0 nor 1
PZ213 error   the number of turns is not 1 to 24
PZ214 error   a cell is listed twice
PZ215 error   a count is too small
PZ221 error   the rows of a board differ in length
PZ222 error   a board has a character other than `x` and `.`
PZ223 error   a text can be read in two ways
PZ224 error   a drawing cannot be read
PZ225 error   an IQ Puzzler text cannot be read
PZ227 error   a row can be read in two ways
PZ228 error   a burr stick cannot be read
PZ229 error   a tile cannot be read
PZ230 warning a part of a text is ignored
PZ231 error   a text is not well-formed XML
PZ232 error   XML that defines entities is refused
PZ233 error   an XML element or attribute is missing or wrong
PZ241 error   a shape array cannot be read
PZ242 error   a shape array lists aspects of different pieces
PZ251 error   the format holds pieces only, and no board was given
PZ252 error   a board was given in a form that is not known
PZ253 error   a group of symmetries is too large
PZ261 warning an XMPuzzle text holds something that is no part of the puzzle
PZ262 error   an element or attribute of an XMPuzzle text is missing or wrong
PZ263 error   the voxels of a shape cannot be read
PZ264 error   a voxel lies where its grid has no cell
PZ265 error   an XMPuzzle text refers to a shape or a colour that is not there
PZ266 error   a piece has voxels that may stay empty
PZ267 error   a stored assembly cannot be read
PZ268 warning the name of a row of numbers begins with a number
PZ269 warning the cells of a listed piece do not hang together
PZ271 error   a text is not well-formed JSON
PZ272 error   a JSON object has a key twice
PZ273 error   a JSON object has a key that is not known
PZ274 error   a JSON object lacks a key
PZ275 error   a value in JSON is of the wrong kind
PZ276 error   values in JSON contradict each other
PZ277 error   an npz file cannot be read
PZ278 error   an array of an npz file is missing or of the wrong kind
PZ279 error   arrays of an npz file contradict each other
PZ281 error   the line of items of an exact cover is missing or wrong
PZ282 error   an option names an unknown item
PZ283 error   an item stands twice in one option
PZ284 error   a colour of an item is wrong
PZ285 error   an option has no primary item
PZ286 warning costs of options are not used
PZ287 error   a row of an exact cover cannot be read
PZ288 error   a cell of a polyomino or polycube text cannot be read
PZ289 error   a piece of a polyomino or polycube text is wrong
PZ291 error   a list of cells cannot be read
PZ292 error   a cell has a wrong number of coordinates
PZ293 error   a piece lists a cell twice
PZ294 error   a text of Polyform Puzzler cannot be read
PZ295 warning a solution leaves a piece out, whose shape is not told
PZ296 error   a Soma figure cannot be read
PZ297 warning the cells of a letter in a Soma figure are not its piece
PZ298 warning a text holds several puzzles, and nobody says which
PZ299 error   a text holds no puzzle of this number or name
# 3: what a puzzle says
PZ301 error   a piece is defined twice
PZ302 error   a lattice is not known
PZ303 error   a colour was never declared
PZ304 error   a shape library is not known
PZ305 error   a shape library has no such piece
PZ306 error   a rule names an unknown piece
PZ307 error   a statement is given twice
PZ308 error   a puzzle has no locations
PZ309 error   a puzzle has no pieces
PZ310 error   a location is listed twice
PZ311 error   a location is not known
PZ312 error   a number of coordinates does not suit the lattice
PZ313 error   the layers of a drawing do not match
PZ314 error   a drawing or a piece has no cell
PZ315 error   a drawing has a cell that does not belong there
PZ316 error   a fixed placement is not possible
PZ317 warning a forbidden placement was not possible anyway
PZ318 error   a shape library belongs to another lattice
PZ319 error   a range runs backwards
PZ320 error   a statement does not go with the lattice
PZ321 error   a region is too large
PZ322 error   a colour is not a free character or a number
PZ323 error   a title stands after other statements
PZ324 error   a piece is fixed in two ways
PZ325 error   a puzzle has too many placements
PZ326 error   a variable is not known
PZ327 error   an expression divides by zero
PZ328 error   an expression is of the wrong kind
PZ329 error   the loops of a text make too much
PZ330 error   a variable has a value already
PZ331 error   a puzzle has no such parameter
PZ332 warning a loop makes no round
PZ333 error   a value names no colour
PZ334 error   a colour is matched with two others
PZ335 warning a statement about edges says nothing
PZ336 error   a piece has a wrong number of edges
PZ337 error   a board cannot go around that way
PZ338 error   a lattice has no such axis
PZ339 error   pieces with edges do not suit a board that goes around
PZ340 error   a lattice file is no plain YAML
PZ341 error   a lattice file has a key that is not known
PZ342 error   a lattice file has a key twice
PZ343 error   a lattice file lacks a key
PZ344 error   a value in a lattice file is of the wrong kind
PZ345 error   a vector or a list of a lattice has a wrong length
PZ346 error   a lattice file describes no lattice
PZ347 error   a lattice file says too much
PZ348 warning the rows of a drawing begin in different columns
PZ350 error   a family of shapes is named without a size
PZ351 error   a family of shapes has no such size, or too many shapes of it
PZ352 error   a size is given for shapes of one size
PZ353 warning a drawing hangs together at corners only
PZ354 error   a piece of balls apart shows colours that are lost
PZ356 warning a name is listed twice after `only` or `except`
PZ357 error   a problem of BurrTools is a draft
PZ358 warning one-sided pieces without their mirror images
PZ361 error   a character cannot name a region
PZ362 error   a rule names an unknown region
PZ363 error   the region of a rule has no location
PZ364 error   no numbers have such a sum
PZ365 error   a cell under a rule shows no number
PZ366 error   no placement of the pieces can obey a rule
# 4: puzzles that cannot have a solution
PZ401 error   pieces and board cannot match in size
PZ402 error   the colours cannot match
PZ403 error   a location is reached by no placement
PZ404 error   a piece fits nowhere
PZ405 error   a colouring of the locations shows that there is no solution
PZ406 error   an item has fewer options than it must be covered
PZ407 error   the options cover too few items, or too many
# 5: what a format cannot say
PZ501 error   the target format cannot say something
PZ502 error   a text of this level cannot be raised to the level of the target
PZ503 error   a text in the target format would be too large
PZ504 error   a puzzle cannot be drawn or made so
PZ505 error   a package that is needed is not installed
PZ506 error   sizes leave no piece that can be made
PZ507 error   a puzzle is too large for a page
PZ508 error   the page cannot be served
# 6: solutions found elsewhere
PZ601 error   a text is no solution in a notation that is known
PZ602 error   a line of a solution cannot be read
PZ603 error   a solution names an unknown piece
PZ604 error   a solution names an unknown location
PZ605 error   a solution has too few or too many entries
PZ606 error   a solution names a placement that does not exist
PZ607 error   the notation of solutions cannot be told
PZ608 error   what is to be shown is no solution of the puzzle
PZ611 error   the kind of an answer cannot be told
PZ612 error   something in an answer cannot be read
PZ613 error   an answer names a variable, an option or an item that does not exist
PZ614 error   a variable in an answer is neither 0 nor 1
PZ615 error   an answer contradicts itself
PZ616 error   an answer breaks off
PZ617 error   what an answer tells is no solution
PZ618 error   an answer names items that no option has
PZ619 error   an answer belongs to another puzzle
PZ620 error   a folder holds no checkpoint, or cannot take a new one
PZ621 error   another process works on a checkpoint
PZ622 error   a checkpoint is damaged
PZ623 error   a checkpoint was made by another version
PZ624 error   a cluster cannot be reached, or was lost
PZ625 error   the workers of a cluster have another version of puzzlec
PZ626 error   a work unit ended its worker again and again
PZ627 error   a checkpoint is of another puzzle, or was made with other settings
PZ628 error   shards do not belong together
PZ629 error   a shard is wrong
PZ630 error   a condition on solutions is not understood
PZ631 error   a checkpoint has no solutions that could be shown so
PZ632 error   a certificate cannot be read
PZ633 error   a certificate does not prove what it claims
PZ634 error   a certificate is of another puzzle
PZ635 error   a certificate cannot be made
PZ636 error   a certificate is of no right exact cover of its puzzle
PZ637 error   a kernel needs numba, which is not installed
PZ638 error   the workers of a search cannot begin
PZ645 error   the language server cannot listen
# 7: taking assemblies apart
PZ701 error   the pieces of a puzzle cannot be moved
PZ702 error   a group or an immovable piece is unknown
PZ703 error   a board is too large to be taken apart
PZ704 error   a wall covers a location
PZ705 error   a board cannot have a wall
PZ706 error   a wall has no cell
PZ707 warning a format cannot say what stays or moves
PZ708 error   these symmetries change how a puzzle comes apart
""")
