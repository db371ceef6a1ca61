"""The run: Sybil and pytest take a page from its first cell to its record and its repair."""
