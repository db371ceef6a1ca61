"""The Ledger page: every claim of the book, by page, with totals and a field to find some."""

from collections.abc import Sequence
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import clean_astext

from everydigit.site.domain import claims_of
from everydigit.site.states import PageChecks, State

COLUMNS = ("Line", "The text says", "Checked against", "Its value", "")
SCRIPTS = ("claims_numbers.js", "claims_ledger.js")
_FIELD = """
<div class="ledger-filter" role="search">
<label for="ledger-find">Find a number or a word</label>
<input id="ledger-find" type="search" autocomplete="off" autocapitalize="off" spellcheck="false">
<p role="status"></p>
</div>
"""


class ledger_filter(nodes.General, nodes.Element):  # noqa: N801 (docutils names nodes so)
    """The field, for the number or word that a reader types; formats other than HTML have none."""


class LedgerDirective(SphinxDirective):
    """`claims-ledger`: a section for each page, a row for each claim."""

    def run(self) -> list[nodes.Node]:
        """Sections made from the ledger as it is now."""
        domain = claims_of(self.env)
        domain.data["ledgers"].add(self.env.docname)
        pages = domain.checks.pages()
        opening = self.env.config.root_doc
        pages.sort(key=lambda page: (self.env.path2doc(page.source) != opening, page.source))
        sections = [self._section(page) for page in pages if page.records or page.trouble()]
        return [nodes.paragraph(text=_totals(pages)), ledger_filter(), *sections]

    def _section(self, page: PageChecks) -> nodes.section:
        docname = self.env.path2doc(page.source)
        title: nodes.Node = nodes.Text(page.source)
        if docname in self.env.found_docs:
            title = nodes.inline("", "", title, title_of=docname)
        else:  # README.md and the like are no pages of the site
            docname = None
        section = nodes.section(ids=[f"ledger-{nodes.make_id(page.source)}"])
        section += nodes.title("", "", title)
        section += nodes.paragraph(text=_totals([page]))
        if trouble := page.trouble():
            section += nodes.paragraph(text=f"The page as a whole is not checked: {trouble}.")
        section += _table(page, docname)
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


def _table(page: PageChecks, docname: str | None) -> nodes.table:
    table = nodes.table(classes=["claims-ledger"])
    group = nodes.tgroup(cols=len(COLUMNS))
    table += group
    group += [nodes.colspec(colwidth=1) for _ in COLUMNS]
    head, body = nodes.thead(), nodes.tbody()
    group += [head, body]
    head += _row([nodes.Text(name) for name in COLUMNS])
    body += [_claim_row(record, page.told(record), docname) for record in page.records]
    return table


def _claim_row(record: dict[str, Any], state: State, docname: str | None) -> nodes.row:
    place: nodes.Node = nodes.Text(str(record["line"]))
    if docname:
        place = addnodes.pending_xref(
            "", place, refdomain="claims", reftype="claim", reftarget=docname, state=state
        )
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
    return row


def _row(cells: Sequence[nodes.Node]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        entry = nodes.entry()
        entry += nodes.paragraph("", "", cell)
        row += entry
    return row


def _fill_titles(env: BuildEnvironment, *trees: nodes.Element) -> None:
    """Name the pages by their titles, which are known once all pages are read."""
    for tree in trees:
        for node in list(tree.findall(nodes.inline)):
            if page := node.get("title_of"):
                node.replace_self(nodes.Text(clean_astext(env.titles[page])))


def _fill_contents(_app: Sphinx, env: BuildEnvironment) -> None:
    for name in claims_of(env).data["ledgers"]:
        _fill_titles(env, env.titles[name], env.longtitles[name], env.tocs[name])


def _show_field(translator: Any, _node: ledger_filter) -> None:
    translator.body.append(_FIELD)
    raise nodes.SkipNode


def _skip(*_: Any) -> None:
    raise nodes.SkipNode


def _add_scripts(app: Sphinx, pagename: str, *_: Any) -> None:
    """Give a ledger page, and no other, the field's styles and scripts."""
    if pagename in claims_of(app.env).data["ledgers"]:
        app.add_css_file("claims_ledger.css")
        for name in SCRIPTS:
            app.add_js_file(name, loading_method="defer")


def register(app: Sphinx) -> None:
    """Make the directive and the field known to Sphinx."""
    elsewhere: dict[str, Any] = dict.fromkeys(("latex", "text", "man", "texinfo"), (_skip, None))
    app.add_node(ledger_filter, override=False, html=(_show_field, None), **elsewhere)
    app.add_directive("claims-ledger", LedgerDirective)
    app.connect("env-updated", _fill_contents)
    app.connect("doctree-resolved", lambda app, doctree, _: _fill_titles(app.env, doctree))
    app.connect("html-page-context", _add_scripts)
