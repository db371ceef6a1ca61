"""Runs: models trained, recorded, taken up again and compared."""
