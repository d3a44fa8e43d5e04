"""Changes of a puzzle as the smallest edits of its text."""

from puzzlec.language.editing.edits import KINDS, edit
from puzzlec.language.editing.painting import EditError, TextEdit, applied
from puzzlec.language.editing.reading import Edited, QuestionError

__all__ = ["KINDS", "EditError", "Edited", "QuestionError", "TextEdit", "applied", "edit"]
