"""The Ledger page: every claim of the book, by page, with totals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from everydigit.site.ledger_filter import ledger_filter
from everydigit.site.states import PageChecks

_HEADING = re.compile(r"^#\s+(.+?)\s*$", re.MULTILINE)
_ROLE = re.compile(r"\{[\w:]+\}`([^`<]*?)(?: <[^`]*>)?`")
COLUMNS = ("Line", "The text says", "Checked against", "Its value", "")


class LedgerDirective(SphinxDirective):
    """`claims-ledger`: a section for each page, a row for each claim."""

    def run(self) -> list[nodes.Node]:
        """Sections made from the ledger as it is now."""
        env = self.env
        if not hasattr(env, "claims_ledger_pages"):
            env.claims_ledger_pages = set()  # type: ignore[attr-defined]
        env.claims_ledger_pages.add(env.docname)  # type: ignore[attr-defined]
        pages: list[PageChecks] = env.app.claims.pages()  # type: ignore[attr-defined]
        opening = env.config.root_doc
        pages.sort(key=lambda p: (Path(p.source).with_suffix("").as_posix() != opening, p.source))
        sections = [self._section(page) for page in pages if page.records or page.trouble()]
        return [nodes.paragraph(text=_totals(pages)), ledger_filter(), *sections]

    def _section(self, page: PageChecks) -> nodes.section:
        title = _title(Path(self.env.srcdir) / page.source)
        if self.env.path2doc(page.source) not in self.env.found_docs:
            title += f" ({page.source})"  # README.md may be called what the book is called
        section = nodes.section(ids=[f"ledger-{nodes.make_id(page.source)}"])
        section += nodes.title(text=title)
        section += nodes.paragraph(text=_totals([page]))
        if trouble := page.trouble():
            section += nodes.paragraph(text=f"The page as a whole is not checked: {trouble}.")
        section += _table(page, Path(page.source).with_suffix("").as_posix())
        return section


def _totals(pages: list[PageChecks]) -> str:
    records = [(page, record) for page in pages for record in page.records]
    total = sum(page.entry["total"] for page in pages if page.entry)
    if not total:
        return "There is no record yet: run pytest."
    checked = sum(page.told(record).name == "checked" for page, record in records)
    numbers = sum(record["numbers"] for _, record in records)
    givens = sum(page.entry["givens"] for page in pages if page.entry)
    held = "all checked" if checked == total else f"{checked} of them checked"
    if checked == total and any(page.trouble() for page in pages):
        held += " (but not every page)"
    return (
        f"{_count(total, 'claim')}, {held}: {_count(numbers, 'number')} bound to a check"
        f", and {givens} given."
    )


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _title(path: Path) -> str:
    heading = _HEADING.search(path.read_text(encoding="utf-8"))
    return _ROLE.sub(r"\1", heading[1]) if heading else path.stem


def _table(page: PageChecks, docname: str) -> nodes.table:
    table = nodes.table(classes=["claims-ledger"])
    group = nodes.tgroup(cols=len(COLUMNS))
    table += group
    group += [nodes.colspec(colwidth=1) for _ in COLUMNS]
    head, body = nodes.thead(), nodes.tbody()
    group += [head, body]
    head += _row([nodes.Text(name) for name in COLUMNS])
    for record in page.records:
        state = page.told(record)
        place = nodes.reference("", str(record["line"]), internal=True)
        place["claims_page"], place["claims_index"] = docname, record["index"]
        row = _row(
            [
                place,
                nodes.Text(record["shown"]),
                nodes.literal(text=record["target"]),
                nodes.Text(record["value"]),
                nodes.inline(text=state.name, classes=[f"claim-state--{state.name}"]),
            ]
        )
        row["ids"] = [state.anchor]
        body += row
    return table


def _row(cells: list[nodes.Node]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        entry = nodes.entry()
        entry += nodes.paragraph("", "", cell)
        row += entry
    return row


def link_ledger(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Point each line number of the ledger at its claim on the page."""
    for node in doctree.findall(nodes.reference):
        page: Any = node.get("claims_page")
        if page is None:
            continue
        if page in app.env.found_docs:
            uri = app.builder.get_relative_uri(docname, page)
            node["refuri"] = f"{uri}#claim-{node['claims_index']}"
        else:  # README.md and the like are no pages of the site
            node.replace_self(nodes.Text(node.astext()))
