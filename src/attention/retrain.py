"""Train every record again, and note what each was made from: `python -m attention.retrain`."""

import sys

from attention.runs.retrain import main

if __name__ == "__main__":
    sys.exit(main())
