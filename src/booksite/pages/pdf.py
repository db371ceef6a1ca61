"""The whole book as one PDF: the pages of the site, joined and printed by Chromium.

python -m booksite.pages.pdf _build/html _build/book.pdf
"""

import posixpath
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup, Tag

from booksite.pages.joined import browse, page_names, read

_STYLE = "article + article { break-before: page; }"
_FOOT = (
    '<div style="width:100%;font:8pt sans-serif;text-align:center">'
    '<span class="pageNumber"></span></div>'
)
_IDS = ("id", "for", "aria-labelledby", "aria-describedby")


def join(site: Path) -> tuple[str, str]:
    """The address of the first page within the site, and all pages of its menu as one page.

    Raises
    ------
    FileNotFoundError
        If there is no site in the folder, or its menu names a page that is not there.

    """
    names = page_names(site)
    start = names[0]
    pages = {name: read(site / name) for name in names}
    first = pages[start]
    whole = BeautifulSoup('<html lang="en" data-theme="light"><body></body></html>', "html.parser")
    head, body = first.head, whole.body
    if head is None or body is None:
        raise FileNotFoundError(f"{site / start} is no page of a site")
    for script in head.find_all("script"):
        script.decompose()
    if head.title is not None:
        head.title.string = head.title.get_text().rpartition(" — ")[2]
    faces = _faces(page for name, page in pages.items() if _folder(name) == _folder(start))
    head.append(BeautifulSoup(f"<style>{faces}\n{_STYLE}</style>", "html.parser"))
    body.insert_before(head)
    for number, (name, page) in enumerate(pages.items()):
        article = page.select_one("article")
        if article is not None:
            body.append(_renamed(article, number, name, names))
    return start, str(whole)


def _faces(pages: Iterable[BeautifulSoup]) -> str:
    """The fonts that pages load where no script runs, each once."""
    styles = (style.get_text() for page in pages for style in page.select("noscript style"))
    return "\n".join(dict.fromkeys(style for style in styles if "@font-face" in style))


def _folder(name: str) -> str:
    return posixpath.dirname(name)


def _renamed(article: Tag, number: int, name: str, names: list[str]) -> Tag:
    """The article with labels of its own, and links into the joined page."""
    for operable in article.select("script, [role=search]"):
        operable.decompose()  # nobody operates a figure or a field on paper
    for folded in article.find_all("details"):
        folded["open"] = ""
    for element in article.find_all(True):
        for key in _IDS:
            if key in element.attrs:
                element[key] = f"p{number}-{element[key]}"
        if element.name == "a" and "href" in element.attrs:
            element["href"] = _link(str(element["href"]), name, names)
    article["id"] = f"p{number}-"
    return article


def _link(href: str, name: str, names: list[str]) -> str:
    address, label = urldefrag(href)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(name), address)) if address else name
    return f"#p{names.index(path)}-{label}" if path in names else href


def print_pdf(site: Path, target: Path) -> None:
    """Write the PDF, with an outline and page numbers.

    Raises
    ------
    FileNotFoundError
        If there is no chromium in `PATH` nor in the variable `CHROMIUM`.

    """
    start, html = join(site)
    joined = (site / start).with_name("joined-for-print.html")
    try:
        joined.write_text(html, encoding="utf-8")
        with browse(scripts=True) as page:
            page.goto(joined.resolve().as_uri())
            page.evaluate("document.fonts.ready")
            page.pdf(
                path=target, format="A4", print_background=True, outline=True, tagged=True,
                display_header_footer=True, header_template="<span></span>", footer_template=_FOOT,
                margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
            )  # fmt: skip
    finally:
        joined.unlink(missing_ok=True)


if __name__ == "__main__":
    print_pdf(Path(sys.argv[1]), Path(sys.argv[2]))
