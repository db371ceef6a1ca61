"""The hand example of the book, as a record that README.md can point at."""

import sys

from attention.runs.hand_example import main

if __name__ == "__main__":
    sys.exit(main())
