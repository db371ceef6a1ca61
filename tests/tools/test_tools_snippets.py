"""The editor's snippets: each, as it is inserted, is something the checker reads and runs."""

import json
import re
from pathlib import Path

import pytest

from everydigit.text.reading import Reading

ROOT = Path(__file__).parents[2]
SNIPPETS = json.loads((ROOT / ".vscode/book.code-snippets").read_text(encoding="utf-8"))
_FIELD = re.compile(r"\$\{\d+:((?:[^\\}]|\\.)*)\}")
# How many cells, claims and givens each one inserts.
INSERTS = {
    "claim": (0, 1, 0),
    "claim-record": (0, 1, 0),
    "claim-true": (0, 1, 0),
    "claim-table": (0, 1, 0),
    "given": (0, 0, 1),
    "cell": (1, 0, 0),
    "cell-hidden": (1, 0, 0),
    "exercise": (0, 1, 1),
    "cite": (0, 0, 0),
}


def inserted(snippet):
    """The text of a snippet with what each of its fields proposes."""
    body = snippet["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    return _FIELD.sub(lambda field: field[1].replace("\\}", "}"), text)


def test_every_snippet_is_listed_here():
    assert {snippet["prefix"] for snippet in SNIPPETS.values()} == set(INSERTS)


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_inserts_what_the_checker_reads(name):
    front = (ROOT / "templates/chapter.md").read_text(encoding="utf-8").split("# ")[0]
    text = f"{front}# T\n\n{inserted(SNIPPETS[name])}\n"
    page = Reading.of(ROOT / "templates").page(Path("page.md"), text)
    assert page.problems == []
    found = (len(page.cells), len(page.claims), len(page.givens))
    assert found == INSERTS[SNIPPETS[name]["prefix"]]
