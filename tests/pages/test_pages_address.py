"""Addresses are one setting each; unset, no page pretends to have one."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from booksite.pages.address import set_addresses

CONF = """
extensions = ["myst_parser", "sphinx_last_updated_by_git", "sphinxext.opengraph",
              "sphinx_sitemap", "notfound.extension", "pages"]
html_theme = "sphinx_book_theme"
ogp_social_cards = {"enable": False}
sitemap_url_scheme = "{link}"
git_untracked_show_sourcelink = True
suppress_warnings = ["git.subprocess_error", "git.command_not_found", "sitemap.configuration"]
"""


def build(folder, **environment):
    """A small book, outside any repository; its page as text."""
    folder.mkdir()
    (folder / "conf.py").write_text(CONF)
    (folder / "index.md").write_text("# A page\n\nWhat it says.\n\n```{toctree}\nnext\n```\n")
    (folder / "next.md").write_text("# Next\n\nMore.\n")
    kept = {k: v for k, v in os.environ.items() if not k.startswith("BOOK_")}
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", folder, folder / "out"],
        env={**kept, **environment, "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        check=True,
        timeout=120,
    )
    return (folder / "out/index.html").read_text(encoding="utf-8")


def test_with_addresses_a_page_names_itself_and_its_source(tmp_path):
    book = tmp_path / "book"
    html = build(
        book, BOOK_URL="https://example.org/b", BOOK_REPOSITORY="https://github.com/some/one"
    )
    assert '<link rel="canonical" href="https://example.org/b/index.html" />' in html
    assert 'property="og:url" content="https://example.org/b/index.html"' in html
    assert "https://github.com/some/one/edit/" in html
    assert "<loc>https://example.org/b/index.html</loc>" in (book / "out/sitemap.xml").read_text()
    assert 'href="/b/_static/' in (book / "out/404.html").read_text(encoding="utf-8")


def test_without_addresses_nothing_is_said_and_the_source_is_still_offered(tmp_path):
    html = build(tmp_path / "book")
    for unsaid in ("canonical", "og:url", "/edit/", "github", "example.org", "thebe"):
        assert unsaid not in html
    assert not (tmp_path / "book/out/sitemap.xml").exists()
    assert 'href="_sources/index.md"' in html
    assert 'property="og:title" content="A page"' in html


def configured(monkeypatch, **environment):
    for name in ("BOOK_URL", "BOOK_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    config = SimpleNamespace(html_baseurl="", html_theme_options={})
    set_addresses(None, config)
    return config


def test_the_environment_overrides_the_setting(monkeypatch):
    config = configured(monkeypatch, BOOK_URL="https://example.org")
    assert config.html_baseurl == config.ogp_site_url == "https://example.org/"
    assert config.notfound_urls_prefix == "/"
    assert not config.html_theme_options["use_edit_page_button"]


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://"])
def test_an_address_that_is_none_is_named(monkeypatch, address):
    with pytest.raises(ValueError, match=address):
        configured(monkeypatch, BOOK_URL=address)
