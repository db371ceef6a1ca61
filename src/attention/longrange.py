"""Record who learns to look up at a distance: `python -m attention.longrange`."""

import sys

from attention.tasks.longrange import main

if __name__ == "__main__":
    sys.exit(main())
