import gc
import os
from pathlib import Path

# Beside other workers, threads wait for each other: a cell that needs 0.4 s once took 18.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from sybil import Sybil

from everydigit.run.document import MarkdownDocument, pages
from everydigit.text.reading import Reading

pytest_plugins = ["everydigit.run.plugin"]
collect_ignore = ["tests/example_book"]  # a book of its own, with such a file of its own

# A pattern's ** stands for one folder; a room may lie in a room.
CODE = ["src/*/*.py", "src/*/*/*.py", "src/*/*/*/*.py"]

# The one Sybil of this project: chapters, README and docstrings, read as _config.yml says.
pytest_collect_file = Sybil(
    parsers=[pages(Reading.of(Path(__file__)))],
    patterns=["book/**/*.md", "book/*.md", "README.md", *CODE],
    document_types={".md": MarkdownDocument},
).pytest()


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported and collected lives as long as the run: nobody looks for garbage in it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
