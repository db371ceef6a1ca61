"""Equations as written: both sides are worked out from the numbers shown."""
