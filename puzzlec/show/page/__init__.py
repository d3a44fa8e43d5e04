"""A page that shows a puzzle and its solutions in a browser, to rotate, explode and take apart."""

from puzzlec.show.page.data import page_data
from puzzlec.show.page.document import page, viewer_source, viewer_style

__all__ = ["page", "page_data", "viewer_source", "viewer_style"]
