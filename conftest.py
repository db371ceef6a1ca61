from sybil import Sybil

from claims.sybil import MarkdownDocument, pages

pytest_plugins = ["claims.plugin"]

# The one Sybil of this project: chapters, README and docstrings.
pytest_collect_file = Sybil(
    parsers=[pages()],
    patterns=["book/**/*.md", "book/*.md", "README.md", "src/**/*.py"],
    document_types={".md": MarkdownDocument},
).pytest()
