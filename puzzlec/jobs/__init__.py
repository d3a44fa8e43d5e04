"""Long searches: cut into work units that any worker can continue, and kept in a checkpoint."""
