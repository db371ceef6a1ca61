"""What the search page knows: every sentence of the book with its place, in a file it loads.

Sphinx's own search leaves numbers out and fetches every page it quotes, which a browser refuses
to do from a disk. Its index still says which pages a word is on.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from booksite.pages.joined import read
from booksite.pages.passages import Passage, passages
from everydigit.site.domain import claims_of

SENTENCES = "sentences.js"


def packed(found: Iterable[Passage]) -> dict[str, list[Any]]:
    """A page's passages as the search page's script reads them: labels and titles said once.

    Examples
    --------
    >>> from pprint import pprint
    >>> one = Passage("a", "a", "A", kind="title")
    >>> two = Passage("a", "t", "Half is 0.5", [(8, 11, "claim-0")])
    >>> pprint(packed([one, two]), width=90, sort_dicts=False)
    {'sections': [['a', 'A']],
     'passages': [[0, 0, 'title', 'A'], [0, 't', 'prose', 'Half is 0.5', [8, 11, 'claim-0']]]}

    """
    labels: dict[str, int] = {}
    titles: list[str] = []
    rows: list[list[Any]] = []
    for each in found:
        number = labels.setdefault(each.section, len(labels))
        if number == len(titles):
            titles.append(each.text if each.kind == "title" else "")
        label = 0 if each.label == each.section else each.label
        rows.append([number, label, each.kind, each.text, *map(list, each.claims)])
    return {"sections": [*map(list, zip(labels, titles, strict=True))], "passages": rows}


def add_scripts(
    app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], _doctree: object
) -> None:
    """Give the search page its styles and scripts: it is written after all pages of the book."""
    if pagename == "search" and app.builder.name == "html":
        ledger = claims_of(app.env).ledger if "claims" in app.env.domains else ""
        book = {"pages": list(_book(app)), "ledger": ledger}
        text = json.dumps(book, ensure_ascii=False, separators=(",", ":"))
        path = Path(app.outdir) / "_static" / SENTENCES
        path.write_text(f"var bookSentences = {text};\n", encoding="utf-8")
        app.add_css_file("search.css")
        for name in (SENTENCES, "claims_numbers.js", "search.js"):
            app.add_js_file(name, loading_method="defer")


def _book(app: Sphinx) -> Iterator[dict[str, Any]]:
    for name in app.env.collect_relations():  # in the order of the menu
        article = read(Path(app.outdir) / f"{name}.html").select_one("article")
        if article is not None:
            yield {"page": name, **packed(passages(article))}
