"""Pictures made of characters."""
