"""Names from a grammar whose exact law is known: what the models learn."""
