"""The checker, as the guide tells an author to set it up."""

from pathlib import Path

from sybil import Sybil

from everydigit.run.document import MarkdownDocument, pages
from everydigit.text.reading import Reading

pytest_plugins = ["everydigit.run.plugin"]
pytest_collect_file = Sybil(
    parsers=[pages(Reading.of(Path(__file__)))],
    patterns=["*.md"],
    document_types={".md": MarkdownDocument},
).pytest()
