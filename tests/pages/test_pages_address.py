"""Addresses are one setting each; unset, no page pretends to have one."""

from types import SimpleNamespace

import pytest

from booksite.pages.address import set_addresses

CONF = """
extensions = ["myst_nb", "sphinx_last_updated_by_git", "sphinxext.opengraph",
              "sphinx_sitemap", "notfound.extension", "booksite.pages"]
html_theme = "sphinx_book_theme"
ogp_social_cards = {"enable": False}
sitemap_url_scheme = "{link}"
git_untracked_show_sourcelink = True
suppress_warnings = ["git.subprocess_error", "git.command_not_found", "sitemap.configuration"]
"""


@pytest.fixture(autouse=True)
def no_addresses(monkeypatch):
    for name in ("BOOK_URL", "BOOK_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A small book, outside any repository: a maker of its page as text."""
    from sphinx.cmd.build import build_main

    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))

    def make(folder, **environment):
        write(folder)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert build_main(["-W", "-q", str(folder), str(folder / "out")]) == 0
        return (folder / "out/index.html").read_text(encoding="utf-8")

    return make


def write(folder):
    folder.mkdir()
    (folder / "conf.py").write_text(CONF)
    (folder / "index.md").write_text("# A page\n\nWhat it says.\n\n```{toctree}\nnext\n```\n")
    (folder / "next.md").write_text("# Next\n\nMore.\n")


def test_with_addresses_a_page_names_itself_and_its_source(tmp_path, build):
    book = tmp_path / "book"
    html = build(
        book, BOOK_URL="https://example.org/b", BOOK_REPOSITORY="https://github.com/some/one"
    )
    assert '<link rel="canonical" href="https://example.org/b/index.html" />' in html
    assert 'property="og:url" content="https://example.org/b/index.html"' in html
    assert "https://github.com/some/one/edit/" in html
    assert "<loc>https://example.org/b/index.html</loc>" in (book / "out/sitemap.xml").read_text()
    assert 'href="/b/_static/' in (book / "out/404.html").read_text(encoding="utf-8")


def test_without_addresses_nothing_is_said_and_the_source_is_still_offered(tmp_path, build):
    html = build(tmp_path / "book")
    for unsaid in ("canonical", "og:url", "/edit/", "github", "example.org", "thebe"):
        assert unsaid not in html
    assert not (tmp_path / "book/out/sitemap.xml").exists()
    assert 'href="_sources/index.md"' in html
    assert 'property="og:title" content="A page"' in html


def configured(monkeypatch, **environment):
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
