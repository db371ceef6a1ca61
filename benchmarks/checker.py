"""Measure what a claim costs on longer and longer pages: `python benchmarks/checker.py`.

pytest checks each page in this process and writes its record.  Times are processor times, and this
machine's: what is worth quoting are the ratios, which say whether a claim of a long page costs
more than one of a short page.
"""

import argparse
import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

COUNTS = (400, 1_600, 6_400)
ROUNDS = 3
CONFTEST = """\
from sybil import Sybil
from everydigit.run.document import MarkdownDocument, pages

pytest_plugins = ["everydigit.run.plugin"]
pytest_collect_file = Sybil(
    parsers=[pages()], patterns=["*.md"], document_types={".md": MarkdownDocument}
).pytest()
"""
# Four claims of a paragraph; the last one stands on the page again and again.
PARAGRAPH = """\
It is {{claim}}`{n}.00 <{n} * 1.0>` of {{claim}}`{n} <{n} + 0>`,
and {{claim}}`{n} = {n} <[{n} + 0, {n} + 0]>` or {{claim}}`sixteen <4 * 4>`.
"""


def page(count: int) -> str:
    """Write a page with as many claims."""
    return "\n".join(PARAGRAPH.format(n=n) for n in range(count // 4))


def seconds(count: int, options: Sequence[str]) -> float:
    """Processor time that pytest takes for a page with as many claims."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        Path("conftest.py").write_text(CONFTEST, encoding="utf-8")
        Path("pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        Path("page.md").write_text(page(count), encoding="utf-8")
        begun = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = pytest.main(["-q", "-p", "no:cacheprovider", *options, "page.md"])
        taken = time.process_time() - begun
    sys.modules.pop("conftest", None)
    assert code == 0, said.getvalue()
    return taken


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the fastest of some rounds for each page, and what a claim costs in comparison."""
    parser = argparse.ArgumentParser(prog="python benchmarks/checker.py", description=__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("options", nargs="*", help="for pytest, such as -- --mutate-claims")
    asked = parser.parse_args(arguments)
    seconds(asked.counts[0], asked.options)  # what is done once is done here
    # Every page once a round, so that a slow minute hits all alike.
    rounds = [[seconds(n, asked.options) for n in asked.counts] for _ in range(ROUNDS)]
    fastest = [min(times) for times in zip(*rounds, strict=True)]
    each = [taken / count for taken, count in zip(fastest, asked.counts, strict=True)]
    for count, taken, claim in zip(asked.counts, fastest, each, strict=True):
        print(f"{count:>6,} claims: {taken:6.2f} s, a claim {claim / each[0]:5.2f} times the first")
    return 0


if __name__ == "__main__":
    sys.exit(main())
