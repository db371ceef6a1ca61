"""What a reader can look for on a finished page: its sentences, and the place of each."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import Tag
from bs4.element import NavigableString

from booksite.pages.mathtext import on_one_line

HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
BLOCKS = ", ".join([*HEADINGS, "p, li, tr, dt, figcaption, caption, pre, .math-display"])
_SILENT = {"script", "style", "button", "svg", "select", "input", "summary"}
_WITHIN = {"tr", "figcaption", "caption", "pre", "dt"}


@dataclass
class Passage:
    """One sentence, row or line: the label it stands under, and the claims in it."""

    section: str  # the label of the nearest heading or term; empty at the top of the page
    label: str  # where a link to the passage leads
    text: str
    claims: list[tuple[int, int, str]] = field(default_factory=list)  # start, end, label
    kind: str = "prose"  # or the "title" of its section, a "row" or formula, "code", a "solution"


@dataclass
class _Text:
    """The text of an element while it is being put together."""

    parts: str = ""
    claims: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, node: Tag) -> None:
        for child in node.children:
            if type(child) is NavigableString:
                self.parts += child
            elif not isinstance(child, Tag) or _is_silent(child):
                continue
            elif child.name == "math":
                self.parts += on_one_line(child)
            elif child.name in ("td", "th") and self.parts.strip():
                self.parts = f"{self.parts.rstrip()} · "
                self._add_inline(child)
            else:
                self._add_inline(child)

    def _add_inline(self, child: Tag) -> None:
        start = len(self.parts)
        self.add(child)
        if "claim" in child.get_attribute_list("class"):
            self.claims.append((start, len(self.parts), str(child["id"])))


def _is_silent(element: Tag) -> bool:
    hidden = "headerlink" in element.get_attribute_list("class") or element.has_attr("hidden")
    return element.name in _SILENT or hidden


def passages(article: Tag) -> Iterator[Passage]:
    r"""The passages of an article in the order of the page.

    A paragraph's lines are its sentences: the sources have one on each line.

    Examples
    --------
    >>> from bs4 import BeautifulSoup
    >>> html = '<section id="a"><h2>A</h2><p>Half:\n<i class="claim" id="claim-0">0.5</i>.</p>'
    >>> for found in passages(BeautifulSoup(html, "html.parser")):
    ...     print(found.section, found.label, found.text, found.claims)
    a a A []
    a a Half: []
    a a 0.5. [(0, 3, 'claim-0')]

    """
    for block in article.select(BLOCKS):
        if _is_silent(block) or any(_passed_over(above) for above in block.parents):
            continue
        if block.name == "li" and block.find(["p", "pre"]):
            continue
        found = _Text()
        found.add(block)
        kind = _kind(block)
        if kind in ("row", "title"):
            found.parts = found.parts.replace("\n", " ")
        section = _section(block)
        label = _label(block) or section
        if "sig" in block.get_attribute_list("class"):  # a documented object, by its name
            yield Passage(section, label, section, kind="title")
        else:
            yield from _lines(found, section, label, kind)


def _kind(block: Tag) -> str:
    if block.name in HEADINGS or (block.name == "dt" and block.has_attr("id")):
        return "title"
    if block.find_parent(class_="solution"):
        return "solution"  # nobody wants to be told it before the question
    return {"tr": "row", "div": "row", "pre": "code"}.get(block.name, "prose")


def _passed_over(above: Tag) -> bool:
    listed = "claims-ledger" in above.get_attribute_list("class")  # what stands in the text already
    return above.name in _WITHIN or listed or _is_silent(above)


def _lines(found: _Text, section: str, label: str, kind: str) -> Iterator[Passage]:
    start = 0
    for line in found.parts.split("\n"):
        end = start + len(line)
        text = line.strip()
        first = start + len(line) - len(line.lstrip())
        claims = [
            (max(begin - first, 0), min(stop - first, len(text)), name)
            for begin, stop, name in found.claims
            if start <= begin < end
        ]
        if text:
            yield Passage(section, label, text, claims, kind)
        start = end + 1


def _section(block: Tag) -> str:
    """The label of the heading, or of the glossary's term, that the block stands under."""
    if block.name == "dt" and block.has_attr("id"):
        return str(block["id"])
    for definition in block.find_parents("dd"):
        term = definition.find_previous_sibling("dt", id=True)
        if isinstance(term, Tag):
            return str(term["id"])
    section = block.find_parent("section", id=True)
    return str(section["id"]) if isinstance(section, Tag) else ""


def _label(block: Tag) -> str:
    """The nearest label of a row, figure or claimed table; empty where the section is nearer."""
    for above in (block, *block.parents):
        if above.name in ("section", "dd", "article"):
            break
        if above.has_attr("id"):
            return str(above["id"])
    return ""
