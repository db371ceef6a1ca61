"""A link into the book says what it leads to: a term's definition, a section's first words."""

import posixpath
from functools import cache

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

LENGTH = 280
ROLES = {"std-ref", "std-term", "std-numref"}


def preview(doctree: nodes.document, label: str) -> str:
    """What stands at a label: a definition, or a section's title and first paragraph, or nothing.

    Examples
    --------
    >>> document = nodes.document(None, None)
    >>> section = nodes.section("", nodes.title(text="Shares"), nodes.paragraph(text="Parts."))
    >>> section["ids"] = ["shares"]
    >>> document += section
    >>> preview(document, "shares"), preview(document, "elsewhere")
    ('Shares: Parts.', '')

    """
    for found in doctree.findall(nodes.Element):
        if label in found.get("ids", ()):
            if isinstance(found, nodes.term):
                return shorten(_first(found.parent, nodes.definition))
            if isinstance(found, nodes.section):
                texts = (_first(found, nodes.title), _first(found, nodes.paragraph))
                return shorten(": ".join(filter(None, texts)))
    return ""


def _first(within: nodes.Node, kind: type[nodes.Element]) -> str:
    found = next(iter(within.findall(kind)), None)
    return found.astext() if found else ""


def shorten(text: str) -> str:
    r"""One line of at most 280 characters, cut between words.

    Examples
    --------
    >>> shorten("two\nlines"), shorten("word " * 100)[-6:], len(shorten("word " * 100)) <= LENGTH
    ('two lines', 'word …', True)

    """
    text = " ".join(text.split())
    return text if len(text) <= LENGTH else text[: LENGTH - 2].rsplit(" ", 1)[0] + " …"


@cache
def _read(env: BuildEnvironment, name: str) -> nodes.document:
    """A page as it was read, unpickled once for all pages that lead to it."""
    return env.get_doctree(name)


def add_previews(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give the links of the roles `{ref}` and `{term}` a title with what they lead to."""
    if app.builder.name != "html":
        return
    here = posixpath.dirname(docname)
    for link in doctree.findall(nodes.reference):
        if not any(ROLES & set(child.get("classes", ())) for child in link.findall(nodes.inline)):
            continue
        path, _, label = link.get("refuri", f"#{link.get('refid', '')}").partition("#")
        name = posixpath.normpath(posixpath.join(here, path)).removesuffix(".html")
        said = preview(_read(app.env, name) if path else doctree, label)
        if said:
            link["reftitle"] = said
            link["classes"].append("preview")
