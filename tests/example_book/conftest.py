"""The checker, as the guide tells an author to set it up."""

from sybil import Sybil

from everydigit.run.document import MarkdownDocument, pages

pytest_plugins = ["everydigit.run.plugin"]
pytest_collect_file = Sybil(
    parsers=[pages(extensions={"colon_fence", "dollarmath"})],
    patterns=["*.md"],
    document_types={".md": MarkdownDocument},
).pytest()
