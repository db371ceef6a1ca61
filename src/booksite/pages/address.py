"""Where the site and its repository live: one setting each, and nothing on a page while unset."""

import os
import re
from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config

SITE = "BOOK_URL"  # in the environment, these two override `_config.yml`
REPOSITORY = "BOOK_REPOSITORY"
_OG_ADDRESS = re.compile(r'<meta property="og:(?:url|image(?::alt)?)"[^>]*>\n?')


def set_addresses(_app: Sphinx, config: Config) -> None:
    """Hand the two addresses to every extension that needs them.

    Raises
    ------
    ValueError
        If an address is not absolute.

    """
    site = absolute(os.environ.get(SITE) or config.html_baseurl)
    config.html_baseurl = config.ogp_site_url = site
    config.notfound_urls_prefix = urlsplit(site).path or "/"
    options = config.html_theme_options
    repository = absolute(os.environ.get(REPOSITORY) or options.get("repository_url") or "")
    options["repository_url"] = repository.rstrip("/")
    options["use_edit_page_button"] = options["use_repository_button"] = bool(repository)


def absolute(address: str) -> str:
    """The address with a slash at its end, or the empty string.

    Raises
    ------
    ValueError
        If the address has no scheme or no host.

    Examples
    --------
    >>> absolute("https://example.org/book")
    'https://example.org/book/'
    >>> absolute("")
    ''

    """
    if not address:
        return ""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"an address begins with https://, this is {address!r}")
    return address.rstrip("/") + "/"


def drop_relative_addresses(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Without an address of the site there is none to announce to others."""
    if not app.config.html_baseurl:
        context["metatags"] = _OG_ADDRESS.sub("", context.get("metatags", ""))
