"""Numbers in a text, and the checks that prove them."""
