"""The book as an ePub: the articles of the finished site, one file a page.

    python -m booksite.pages.epub _build/html _build/book.epub

Sphinx's own builder leaves this book without a table of contents and does not declare its MathML.
"""

import posixpath
import sys
from pathlib import Path
from typing import Any

from ebooklib import epub

from booksite.pages.joined import browse, page_names

# Chromium reads HTML as readers' browsers do, and writes XML with the right namespaces.
_ARTICLE = """() => {
  const article = document.querySelector('article');
  const gone = '.headerlink, script, button, metadata, .cell_output + script, .btn, .collapsed';
  article.querySelectorAll(`${gone}, .ledger-filter`).forEach(e => e.remove());
  article.querySelectorAll('details').forEach(e => {
    e.querySelector('summary')?.remove();
    e.replaceWith(...e.childNodes);
  });
  for (const link of article.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href');
    if (!/^[a-z]+:/.test(href)) link.setAttribute('href', href.replace(/\\.html(?=#|$)/, '.xhtml'));
    link.removeAttribute('title');
  }
  return [document.title, new XMLSerializer().serializeToString(article)];
}"""
_PAGE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head><title>{title}</title>
<link rel="stylesheet" type="text/css" href="{styles}"/></head><body>{body}</body></html>"""
_STYLES = Path(__file__).parent / "assets" / "epub.css"


class _Page(epub.EpubHtml):  # type: ignore[misc]
    """A page as it is: ebooklib would read it as HTML and lose the case of SVG's names."""

    def get_content(self, _default: Any = None) -> bytes:
        content: bytes = self.content
        return content


def write_epub(site: Path, target: Path) -> None:
    """Write the ePub of a finished site.

    Raises
    ------
    FileNotFoundError
        If there is no site, or no chromium in `PATH` nor in the variable `CHROMIUM`.

    """
    names = page_names(site)
    book = epub.EpubBook()
    book.set_language("en")
    styles = epub.EpubItem("styles", "styles.css", "text/css", _STYLES.read_bytes())
    book.add_item(styles)
    pages = []
    with browse(scripts=False) as page:
        for name in names:
            page.goto((site / name).resolve().as_uri())
            title, article = page.evaluate(_ARTICLE)
            pages.append(_page(name, title.partition(" — ")[0], article))
            book.add_item(pages[-1])
        whole = title.rpartition(" — ")[2]
    book.set_title(whole)
    book.set_identifier(f"urn:book:{whole.lower().replace(' ', '-')}")
    book.toc = pages
    book.spine = ["nav", *pages]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(target, book)


def _page(name: str, title: str, article: str) -> _Page:
    file = name.removesuffix(".html") + ".xhtml"
    page = _Page(title=title, file_name=file, lang="en")
    styles = posixpath.relpath("styles.css", posixpath.dirname(file) or ".")
    page.content = _PAGE.format(title=title, styles=styles, body=article).encode()
    kinds = {"mathml": "<math", "svg": "<svg"}
    page.properties += [kind for kind, tag in kinds.items() if tag in article]
    return page


if __name__ == "__main__":
    write_epub(Path(sys.argv[1]), Path(sys.argv[2]))
