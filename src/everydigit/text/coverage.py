"""Count the numbers of a text: how many are bound to a check, given, or naked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from everydigit.text.reading import Reading

COLUMNS = ("numbers", "bound", "given", "naked")
_PASSED_OVER = ("_build", "node_modules", "__pycache__")


@dataclass(frozen=True)
class Count:
    """The numbers in the visible prose of one file."""

    name: str
    bound: int
    given: int
    naked: Sequence[str]  # each as `line:column: number`

    @property
    def row(self) -> tuple[int, int, int, int]:
        """In the order of `COLUMNS`."""
        return (
            self.bound + self.given + len(self.naked), self.bound, self.given, len(self.naked)
        )  # fmt: skip


def markdown_files(paths: Iterable[Path]) -> list[Path]:
    """The Markdown files among the paths and in the folders among them, each once.

    Raises:
        FileNotFoundError: a path leads to nothing.

    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"there is no {path}")
        found |= dict.fromkeys(_inside(path) if path.is_dir() else [path])
    return list(found)


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith(".") and path.name not in _PASSED_OVER:
            yield from _inside(path)
        elif path.suffix == ".md":
            yield path


def count(file: Path) -> Count:
    """Read a file as the book around it says and count; nothing is run."""
    page = Reading.of(file).page(file)
    return Count(
        file.as_posix(),
        sum(len(claim.numbers) for claim in page.claims),
        len(page.givens),
        [f"{n.line}:{n.column}: {n.number.text.strip()}" for n in page.naked],
    )


def report(counts: Sequence[Count], *, naked: bool = False) -> str:
    """A table with a row for each file and a total; with `naked`, each such number before it."""
    lines = [f"{c.name}:{place}" for c in counts for place in c.naked] if naked else []
    width = max([len(c.name) for c in counts] + [len("total")])
    lines.append(" " * width + "".join(f"{column:>9}" for column in COLUMNS))
    for c in counts:
        lines.append(f"{c.name:<{width}}" + "".join(f"{n:>9,}" for n in c.row))
    total = [sum(column) for column in zip(*(c.row for c in counts), strict=True)] or [0] * 4
    lines.append(f"{'total':<{width}}" + "".join(f"{n:>9,}" for n in total))
    return "\n".join(lines)
