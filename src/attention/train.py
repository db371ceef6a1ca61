"""Train a model from nothing, and record the run: `python -m attention.train E6`."""

import sys

from attention.runs.train import main

if __name__ == "__main__":
    sys.exit(main())
