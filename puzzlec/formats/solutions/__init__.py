"""Solutions as files, any number of them: a writer for each form, none of which keeps more than some thousand."""
