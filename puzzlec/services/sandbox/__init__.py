"""A worker process for the page and the language server: bounded, watched, and replaced if it does not finish."""
