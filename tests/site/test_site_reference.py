"""The reference on the site: chapters lead to it, and it shows what a docstring says."""

import re

CHAPTERS = [
    *("01-shares", "02-nine-comparisons", "03-not-seen"),
    *("04-where-it-looks", "05-why-divide", "06-dropout"),
]


def test_every_chapter_of_the_first_part_leads_to_the_reference(site):
    reference = site.page("reference").read_text(encoding="utf-8")
    places = set(re.findall(r'id="(attention\.[\w.]+)"', reference))
    for chapter in CHAPTERS:
        page = site.page(chapter).read_text(encoding="utf-8")
        links = re.findall(r'href="reference\.html#(attention\.[\w.]+)"', page)
        assert links, chapter
        assert set(links) <= places


def test_an_entry_has_its_shapes_errors_source_and_example(site):
    reference = site.page("reference").read_text(encoding="utf-8")
    entry = reference.partition('id="attention.core.attend"')[2].partition('<dl class="py')[0]
    for part in ("Shapes", "Raises ValueError", "Source", "Examples", "causal"):
        assert part in entry, part
