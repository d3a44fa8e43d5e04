"""Solutions as files, any number of them: each writer keeps at most a few thousand in memory."""
