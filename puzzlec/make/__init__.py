"""Things to hold: pieces as meshes for printers (STL, 3MF) and viewers (GLB), and as outlines for a beam (laser)."""
