import json
import re
from pathlib import Path

import pytest

from everydigit.text.reading import Reading

BOOK = Path(__file__).parents[2] / "book"
CHAPTERS = sorted(p.stem for p in BOOK.glob("*.md") if b"{claim}" in p.read_bytes())


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_claim_of_a_chapter_is_on_its_page_and_checked(site, name):
    source = site.folder.parents[1] / "book" / f"{name}.md"
    claims = Reading.of(source).page(source).claims
    html = site.page(name).read_text(encoding="utf-8")
    shown = re.findall(r'class="claim claim--(\w+)(?: claim--block)?"', html)
    assert len(claims) > 0
    assert shown == ["checked"] * len(claims)


def test_the_ledger_lists_every_claim_of_the_book(site):
    ledger = json.loads((site.folder.parents[1] / ".claims/ledger.json").read_text())
    total = sum(len(page["claims"]) for page in ledger["pages"].values())
    html = site.page("ledger").read_text(encoding="utf-8")
    assert f"{total} claims, all checked" in html
    assert html.count('class="claim-state--checked"') == total
    assert 'class="claim-state--unchecked"' not in html


def test_no_page_fetches_anything_from_elsewhere(site):
    for path in site.folder.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source)[^>]*\ssrc=\"(https?:[^\"]+)", html)
        loaded += re.findall(r"<link[^>]*rel=\"stylesheet\"[^>]*href=\"(https?:[^\"]+)", html)
        assert not loaded, path.name


def test_formulas_are_mathml_and_none_is_left_as_source(site):
    for name in CHAPTERS:
        html = site.page(name).read_text(encoding="utf-8")
        assert r"\(" not in html
        assert r"\[" not in html


def test_names_in_a_drawing_are_inside_it_and_apart(site, page):
    overlaps = """svg => {
      const box = svg.getBoundingClientRect();
      const rects = [...svg.querySelectorAll('text, circle')].map(e => e.getBoundingClientRect());
      const apart = (a, b) => a.right <= b.left || b.right <= a.left
        || a.bottom - 4 <= b.top + 4 || b.bottom - 4 <= a.top + 4;
      return rects.flatMap((a, i) => [
        ...(a.left < box.left || a.right > box.right || a.top < box.top || a.bottom > box.bottom
          ? [`outside: ${i}`] : []),
        ...rects.slice(i + 1).flatMap((b, j) => apart(a, b) ? [] : [`${i} over ${i + 1 + j}`]),
      ]);
    }"""
    for name in ("01-shares", "02-nine-comparisons"):
        page.goto(site.address(name))
        drawing = page.locator("figure.plane svg")
        assert drawing.count() == 1
        assert drawing.evaluate(overlaps) == []
