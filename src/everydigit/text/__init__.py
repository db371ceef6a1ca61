"""What a page says: its cells, its claims, and every number that a reader sees."""
