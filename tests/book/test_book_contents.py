"""The table of contents names every page, and no title of the site holds an unchecked number."""

from pathlib import Path

import yaml

from everydigit.number.prose import find_numbers

ROOT = Path(__file__).parents[2]


def contents():
    return yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))


def values_of(keys, tree):
    """Every text below one of the keys, wherever it stands in the tree."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key in keys:
                yield str(value)
            yield from values_of(keys, value)
    elif isinstance(tree, list):
        for branch in tree:
            yield from values_of(keys, branch)


def test_every_page_is_in_the_table_of_contents_once():
    named = sorted(values_of({"file", "root"}, contents()))
    pages = [p.relative_to(ROOT).with_suffix("").as_posix() for p in (ROOT / "book").rglob("*.md")]
    assert named == sorted(pages)


def test_titles_and_captions_of_the_site_hold_no_number():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    words = [config["title"], config["author"], *values_of({"caption", "title"}, contents())]
    assert len(words) > 2
    assert [word for word in words if find_numbers(word)] == []
