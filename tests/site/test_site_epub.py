"""The ePub is whole: well-formed pages, declared for what they hold, every link leads somewhere."""

import posixpath
from urllib.parse import urldefrag, urlsplit
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from booksite.pages.epub import write_epub
from tests.site.reading import CHAPTERS

XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"


@pytest.fixture(scope="module")
def book(site, browser, tmp_path_factory):
    """Its files by name. (The browser is asked for first: without one there is nothing to test.)"""
    path = tmp_path_factory.mktemp("epub") / "book.epub"
    ElementTree.register_namespace("", "http://www.w3.org/1999/xhtml")
    run_apart(site, path)
    with ZipFile(path) as archive:
        assert archive.infolist()[0].filename == "mimetype"
        return {name: archive.read(name) for name in archive.namelist()}


def run_apart(site, path):
    """In a thread of its own: two synchronous Playwrights cannot share one."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(write_epub, site.folder, path).result()


def pages(book):
    return {
        name: ElementTree.fromstring(content)
        for name, content in book.items()
        if name.endswith(".xhtml")
    }


def test_its_contents_list_every_chapter_in_order(book):
    contents = pages(book)["EPUB/nav.xhtml"]
    listed = [link.get("href") for link in contents.iter(f"{XHTML}a")]
    assert [path for path in listed if path[5:7].isdigit()] == [
        f"book/{name}.xhtml" for name in CHAPTERS
    ]


def test_formulas_and_drawings_are_declared(book):
    manifest = ElementTree.fromstring(book["EPUB/content.opf"])
    declared = {
        item.get("href"): set((item.get("properties") or "").split())
        for item in manifest.iter(f"{OPF}item")
    }
    for name, page in pages(book).items():
        tags = {element.tag.partition("}")[2] for element in page.iter()}
        needed = {kind for kind, tag in (("mathml", "math"), ("svg", "svg")) if tag in tags}
        assert declared[name.removeprefix("EPUB/")] - {"nav"} == needed, name


def test_every_link_of_it_leads_somewhere(book):
    read = pages(book)
    labels = {name: {e.get("id") for e in page.iter()} for name, page in read.items()}
    checked = 0
    for name, page in read.items():
        for link in page.iter(f"{XHTML}a"):
            href = link.get("href", "")
            if urlsplit(href).scheme or not href:
                continue
            path, label = urldefrag(href)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            target = target if path else name
            checked += 1
            assert target in book, (name, href)
            assert not label or label in labels[target], (name, href)
    assert checked > 300


def test_solutions_are_open_and_nothing_waits_to_be_pressed(book):
    text = book[f"EPUB/book/{CHAPTERS[0]}.xhtml"].decode()
    assert "Solution to" in text
    for left in ("<script", "<button", "<details", "toggle-hidden"):
        assert left not in text
