import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_the_citation_names_the_package_s_version_and_the_book_s_title():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    book = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])
    assert cited["title"] == book["title"]
    assert {"cff-version", "message", "authors"} <= set(cited)
