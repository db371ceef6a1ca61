"""Train many seeds side by side and record each: `python -m attention.ensemble E6`."""

import sys

from attention.runs.ensemble import main

if __name__ == "__main__":
    sys.exit(main())
