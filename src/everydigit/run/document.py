"""Hand a page to Sybil: one region for each cell, each claim, and one for the gate."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from sybil import Document, Example, Region
from sybil.example import SybilFailure
from sybil.parsers.doctest import DocTestParser

from everydigit.run.chapter import Chapter, Outcome
from everydigit.text.page import Cell, Claim, Page
from everydigit.text.reading import Reading

Step = Cell | Claim | Page  # the page itself stands for the coverage gate


class ClaimFailureError(SybilFailure):
    """A failed step: `lines` are one line each, `detail` is for who wants more."""

    def __init__(self, example: Example, lines: list[str], detail: str) -> None:
        AssertionError.__init__(self, "\n".join([*lines, *detail.splitlines()]))
        self.example = example
        self.lines = lines


class MarkdownDocument(Document):
    """A page that is read once, whole, and run in order."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.page: Page | None = None
        self.read: Callable[[str], Page] | None = None  # as this page is read, another text
        self.chapter: Chapter | None = None

    def examples(self) -> Iterator[Example]:
        """The steps of the page, with their own lines and columns."""
        for _, region in self.regions:
            line, column = _place(region.parsed)
            yield Example(self, line, column, region, self.namespace)


def pages(
    reading: Reading | None = None, **changes: Iterable[str]
) -> Callable[[Document], Iterable[Region]]:
    """A Sybil parser for MyST chapters, GitHub READMEs and the docstrings of modules.

    `changes` are fields of `reading` that are to be others: `extensions`, `prose`, `verbatim`.
    """
    doctests = DocTestParser()
    how = replace(reading or Reading(), **{key: frozenset(changes[key]) for key in changes})

    def parse(document: Document) -> Iterable[Region]:
        if not isinstance(document, MarkdownDocument):
            return doctests(document)
        document.read = partial(how.page, Path(document.path))
        document.page = page = document.read(document.text)
        document.chapter = Chapter(page, document.namespace)
        return list(_regions(page))

    return parse


def _regions(page: Page) -> Iterator[Region]:
    starts = [0]
    for line in page.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    yield Region(0, 0, page, _evaluate)
    steps: list[Step] = [*page.cells, *page.claims]
    for step in steps:
        row, column = _place(step)
        offset = min(starts[row - 1] + column - 1, len(page.text))
        yield Region(offset, offset, step, _evaluate)


def _place(step: Step) -> tuple[int, int]:
    return (0, 0) if isinstance(step, Page) else (step.line, getattr(step, "column", 1))


def outcome_of(example: Example) -> Outcome:
    """What came of an example of a Markdown page; the first call runs what leads up to it."""
    if isinstance(example.parsed, Page):
        problems = example.parsed.problems
        return Outcome([(p.line, p.column, p.message) for p in problems], kind="gate")
    assert isinstance(example.document, MarkdownDocument)
    assert example.document.chapter is not None
    return example.document.chapter.outcome(example.parsed)


def _evaluate(example: Example) -> None:
    outcome = outcome_of(example)
    if not outcome.passed:
        lines = [one_line(example.path, *failure) for failure in outcome.failures]
        raise ClaimFailureError(example, lines, outcome.detail)


def one_line(path: str, line: int, column: int, message: str) -> str:
    """`file:line:column: message`, the file as seen from where the reader stands."""
    file = Path(path)
    if file.is_relative_to(Path.cwd()):
        file = file.relative_to(Path.cwd())
    return f"{file.as_posix()}:{line}:{column}: {' '.join(message.split())}"
