"""The site: Sphinx shows what was checked, and asks the ledger alone."""

from everydigit.site.extension import setup

__all__ = ["setup"]
