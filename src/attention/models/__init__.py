"""Models that can be trained: E6, E5-names, and what is done with them."""
