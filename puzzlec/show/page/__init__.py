"""A page that shows a puzzle and its solutions in a browser, to rotate, explode and take apart."""
