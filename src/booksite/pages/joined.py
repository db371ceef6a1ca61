"""The pages of a finished site in the order of its menu, and a browser to read them with."""

import os
import posixpath
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from bs4 import BeautifulSoup

if TYPE_CHECKING:
    from playwright.sync_api import Page


# As root there is no sandbox; letters are as wide as they are, and not whole pixels.
FLAGS = ("--no-sandbox", "--font-render-hinting=none")


def read(path: Path) -> BeautifulSoup:
    """A page of the site."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def page_names(site: Path) -> list[str]:
    """The pages of the menu, the first one first, as paths within the site.

    Raises
    ------
    FileNotFoundError
        If there is no site in the folder.

    """
    hands_on = read(site / "index.html").select_one("meta[http-equiv=Refresh]")
    first = "index.html" if hands_on is None else str(hands_on["content"]).partition("url=")[2]
    links = [str(link["href"]) for link in read(site / first).select("nav.bd-links a.internal")]
    folder = posixpath.dirname(first)
    paths = [posixpath.join(folder, path) for link in links if (path := urldefrag(link)[0])]
    return list(dict.fromkeys([first, *map(posixpath.normpath, paths)]))


def find_chromium() -> str:
    """The Chromium to drive: the one in the variable `CHROMIUM`, or the first in `PATH`.

    The headless shell is the same engine without a window to draw: a page costs it half.

    Raises
    ------
    FileNotFoundError
        If there is none.

    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise FileNotFoundError("no chromium in PATH (nor in the variable CHROMIUM)")
    return found


@contextmanager
def browse(*, scripts: bool) -> Iterator["Page"]:
    """A page of Chromium.

    Raises
    ------
    FileNotFoundError
        If there is none in `PATH` nor in the variable `CHROMIUM`.

    """
    from playwright.sync_api import sync_playwright

    executable = find_chromium()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser.new_page(java_script_enabled=scripts)
        browser.close()
