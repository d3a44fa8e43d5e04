"""Solutions as files, any number of them: each writer keeps at most some thousand in memory."""
