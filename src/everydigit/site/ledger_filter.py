"""A field on a ledger page: only the claims with the number or word that a reader types."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

SCRIPTS = ("claims_numbers.js", "claims_ledger.js")
_FIELD = """
<div class="ledger-filter" role="search">
<label for="ledger-find">Find a number or a word</label>
<input id="ledger-find" type="search" autocomplete="off" autocapitalize="off" spellcheck="false">
<p role="status"></p>
</div>
"""


class ledger_filter(nodes.General, nodes.Element):  # noqa: N801 (docutils names nodes so)
    """The field; formats other than HTML have none."""


def _show(translator: Any, node: ledger_filter) -> None:
    translator.body.append(_FIELD)
    raise nodes.SkipNode


def _skip(translator: Any, node: ledger_filter) -> None:
    raise nodes.SkipNode


def _add_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give a ledger page, and no other, the field's styles and scripts."""
    if pagename in getattr(app.env, "claims_ledger_pages", ()):
        app.add_css_file("claims_ledger.css")
        for name in SCRIPTS:
            app.add_js_file(name, loading_method="defer")


def register(app: Sphinx) -> None:
    """Make the field known to Sphinx."""
    elsewhere: dict[str, Any] = dict.fromkeys(("latex", "text", "man", "texinfo"), (_skip, None))
    app.add_node(ledger_filter, override=False, html=(_show, None), **elsewhere)
    app.connect("html-page-context", _add_scripts)
