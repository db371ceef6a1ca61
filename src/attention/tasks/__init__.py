"""Tasks besides names: look-up at a distance, and a club's members."""
