"""Jobs: searches that take days, cut into portions that any worker can go on with, kept in a checkpoint."""
