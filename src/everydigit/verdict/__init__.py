"""Whether a claim holds: what its TARGET gives, and the rule that judges what is shown."""
