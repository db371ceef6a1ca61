"""A page loads the scripts of the figures it shows, and no others.

An element that says `data-scripts="a.js b.js"` asks for these, from the site's static folder.
They are deferred and classic, so that they also run where a page is opened as a file.
"""

import re
from typing import Any

from sphinx.application import Sphinx


def wanted(body: str) -> list[str]:
    """Name the scripts that a page asks for, each once, in the order of first mention.

    Examples:
        >>> wanted('<i data-scripts="a.js b.js"></i><i data-scripts="a.js c.js"></i>')
        ['a.js', 'b.js', 'c.js']

    """
    lists = re.findall(r'<[^<>]* data-scripts="([^"]*)"', body)
    return list(dict.fromkeys(name for listed in lists for name in listed.split()))


def load_needed_scripts(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Look at a page before it is written, and add what it asks for."""
    for name in wanted(context.get("body", "")):
        app.add_js_file(name, loading_method="defer")
