"""The theme's icons: a font of the few that are used, instead of two fonts and a script of all."""

import re
from collections.abc import Set
from pathlib import Path

from sphinx.application import Sphinx

from booksite.pages.fonts import subset_font

STYLES = Path("_static/styles/pydata-sphinx-theme.css")
WHOLE = Path("_static/vendor/fontawesome/webfonts/fa-solid-900.ttf")
_RULE = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"\\?([^"]+)"\}')
_FACE = re.compile(r"@font-face\{[^}]*(?:Font Awesome|FontAwesome)[^}]*\}")
_VARIABLE = re.compile(r'--pst-icon-[a-z-]+:"([^"]+)"')
_FIRST = (
    '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;'
    'src:url(../icons.woff) format("woff")}'
)


def names_in(html: str) -> set[str]:
    """The icons that a page names.

    Examples
    --------
    >>> sorted(names_in('<i class="fas fa-sun fa-lg"></i><i class="fa-solid fa-bars"></i>'))
    ['fa-bars', 'fa-lg', 'fa-solid', 'fa-sun']

    """
    found = re.findall(r'class="[^"]*\bfa[srb]?[ -][^"]*"', html)
    return {name for classes in found for name in re.findall(r"fa-[a-z0-9-]+", classes)}


def prune(css: str, used: Set[str]) -> tuple[str, set[int]]:
    r"""The theme's style sheet with the rules of used icons only, and their characters.

    Examples
    --------
    >>> css = '.fa-sun:before{content:"\\f185"}.fa-ring:before{content:"\\f70b"}a{color:red}'
    >>> left, characters = prune(css, {"fa-sun"})
    >>> left.removeprefix(_FIRST), characters
    ('.fa-sun:before{content:"\\f185"}a{color:red}', {61829})

    """
    characters = {ord(found) for found in _VARIABLE.findall(css) if len(found) == 1}
    characters |= {int(found[1:], 16) for found in _VARIABLE.findall(css) if len(found) > 1}

    def keep(rule: re.Match[str]) -> str:
        if not set(re.findall(r"fa-[a-z0-9-]+", rule[1])) & used:
            return ""
        characters.add(ord(rule[2]) if len(rule[2]) == 1 else int(rule[2], 16))
        return rule[0]

    # One face first: a style sheet's rules of the same name below it are taken out.
    return _FIRST + _RULE.sub(keep, _FACE.sub("", css)), characters


def write_icons(app: Sphinx, exception: Exception | None) -> None:
    """Put the subset font and the pruned style sheet in place of the theme's."""
    if exception or app.builder.format != "html" or app.builder.name == "epub":
        return
    site = Path(app.outdir)
    if not (site / WHOLE).exists():  # this theme has no such font: nothing to take out
        return
    used = {name for page in site.rglob("*.html") for name in names_in(page.read_text("utf-8"))}
    css, characters = prune((site / STYLES).read_text("utf-8"), used)
    subset_font(site / WHOLE, site / "_static/icons.woff", characters, features=[])
    (site / STYLES).write_text(css, encoding="utf-8")
