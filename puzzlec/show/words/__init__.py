"""The words of pages in a browser, in several languages."""
