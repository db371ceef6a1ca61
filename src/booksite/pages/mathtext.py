"""A formula as one line of plain text, to be quoted where formulas cannot be set."""

from bs4 import Tag

_SPACED = set("=<>≤≥≈≠∈→±+−×")
_BETWEEN = {"mtr": ", ", "mtable": "; "}
_LOWER, _UPPER = "_", "^"
_SCRIPTS = {
    "msub": _LOWER,
    "munder": _LOWER,
    "msup": _UPPER,
    "mover": _UPPER,
    "msubsup": _LOWER + _UPPER,
    "munderover": _LOWER + _UPPER,
    "mfrac": "/",
}


def on_one_line(math: Tag) -> str:
    """MathML as text, with `_` and `^` for what is set lower and higher.

    Examples
    --------
    >>> from bs4 import BeautifulSoup
    >>> html = "<math><msub><mi>d</mi><mi>k</mi></msub><mo>=</mo><mn>64</mn></math>"
    >>> on_one_line(BeautifulSoup(html, "html.parser").math)
    'd_k = 64'
    >>> html = "<math><mfrac><mn>1</mn><msqrt><mi>x</mi><mo>+</mo><mn>2</mn></msqrt></mfrac></math>"
    >>> on_one_line(BeautifulSoup(html, "html.parser").math)
    '1/√(x + 2)'

    """
    return " ".join(_inside(math).split())


def _inside(element: Tag) -> str:
    children = element.find_all(True, recursive=False)
    return _BETWEEN.get(element.name, "").join(map(_read, children))


def _read(element: Tag) -> str:
    children = element.find_all(True, recursive=False)
    if not children:
        text = element.get_text(strip=True)
        return f" {text} " if text in _SPACED else text
    if element.name.startswith("annotation"):
        return ""
    if element.name == "msqrt":
        text = _inside(element).strip()
        return f"√{text}" if _is_one(text) else f"√({text})"
    if signs := _SCRIPTS.get(element.name):
        base, *others = map(_grouped, children)
        return base + "".join(sign + other for sign, other in zip(signs, others, strict=True))
    return _inside(element)


def _grouped(element: Tag) -> str:
    text = _read(element).strip()
    return text if element.name == "msqrt" or _is_one(text) else f"({text})"


def _is_one(text: str) -> bool:
    """Whether it is a single sign, name or number, and needs no parentheses."""
    return len(text) < 2 or text.replace(".", "").isalnum()
