"""Guess a member's club from whom they met: `python -m attention.karate` trains and records it."""

import sys

from attention.tasks.karate import main

if __name__ == "__main__":
    sys.exit(main())
