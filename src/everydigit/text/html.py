"""The words in raw HTML."""

import re

_TAG = re.compile(r"""<!--.*?-->|<(?:"[^"]*"|'[^']*'|[^'">])*>|<[^>]*>""", re.DOTALL)
# What a reader sees or hears of a tag itself.
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?:alt|title|aria-label|aria-description|placeholder|label|value|start)\s*=\s*
    (?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)


def html_words(html: str) -> str:
    """Raw HTML with its tags blanked, alternative texts and titles excepted."""

    def blank(tag: re.Match[str]) -> str:
        letters = list(re.sub(r"[^\n]", " ", tag[0]))
        for words in _ATTRIBUTE.finditer(tag[0]) if not tag[0].startswith("<!--") else ():
            group = words.lastgroup or 0
            letters[slice(*words.span(group))] = words[group]
        return "".join(letters)

    return _TAG.sub(blank, html)
