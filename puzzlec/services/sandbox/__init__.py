"""One worker process for the page and the language server: bounded, watched, and replaced if it came to no end."""
