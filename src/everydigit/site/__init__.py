"""The site: Sphinx shows what was checked, and asks the ledger alone."""

from typing import Any

from sphinx.application import Sphinx

from everydigit.site import domain, ledger_page, roles


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the roles, the directives, and what keeps them honest."""
    for part in (domain, roles, ledger_page):
        part.register(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
