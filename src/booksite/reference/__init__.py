"""A reference of a package, made from its docstrings by autodoc: new modules appear by themselves.

The docstrings are written to be read in a terminal: words, `code`, and sections that begin with
Shapes:, Units:, Raises:, Source: and so on.  Here they become what Sphinx knows.
"""

import pkgutil
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from booksite.reference.docstrings import as_rst
from booksite.reference.signatures import fields, signature
from everydigit.number.prose import find_numbers
from everydigit.site.roles import claim, given

ASSETS = Path(__file__).parent / "assets"
LIMIT = "a limit or a convention that the code sets, not a result"
LINE = 60  # a longer signature has a line for each argument
_NO_PROSE = (
    nodes.literal, nodes.literal_block, nodes.doctest_block, addnodes.desc_signature, claim, given
)  # fmt: skip


def public_modules(package: str) -> list[str]:
    """The modules of a package and of its rooms, by name, that have something of their own to show.

    A room that says in `__all__` what it offers is shown as one.
    """
    found = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
    modules = {each.name: import_module(each.name) for each in found if "._" not in each.name}
    facades = {name for name, module in modules.items() if hasattr(module, "__all__")}
    own = {name for name, module in modules.items() if _has_own(module)}
    inside = {name for name in own if name.rpartition(".")[0] in facades}
    return sorted(facades | own - inside)


def _has_own(module: ModuleType) -> bool:
    names = (getattr(thing, "__module__", None) for thing in vars(module).values())
    return module.__name__ in names


class ReferenceDirective(SphinxDirective):
    """`reference` and the name of a package: a section for each of its modules.

    The body names modules to leave out: those the package keeps to itself.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The sections; their numbers are limits that the code sets, and marked so later."""
        package = self.arguments[0]
        modules = public_modules(package)
        inner = {f"{package}.{name}" for line in self.content for name in line.split()}
        if unknown := sorted(inner - set(modules)):
            raise self.error(f"there is no module {', '.join(unknown)} to leave out")
        lines: list[str] = []
        for module in modules:
            if module not in inner:
                lines += [
                    f"({module})=",
                    f"## `{module.removeprefix(f'{package}.')}`",
                    "",
                    "```{eval-rst}",
                ]
                lines += [f".. automodule:: {module}", "   :members:", "```", ""]
        self.state.document["reference"] = package
        holder = nodes.Element()
        text = StringList(lines, self.get_source_info()[0])
        self.state.nested_parse(text, self.content_offset, holder, match_titles=True)
        return holder.children


def _mark_numbers(_app: Sphinx, doctree: nodes.document) -> None:
    """What the page itself says is claimed already; the numbers left are those of docstrings."""
    texts = doctree.findall(nodes.Text) if "reference" in doctree else []
    for text in list(texts):
        if _is_prose(text) and (numbers := find_numbers(text.astext())):
            words, marked, end = text.astext(), [], 0
            for number in numbers:
                limit = given("", number.text, word="limit", why=LIMIT)
                marked += [nodes.Text(words[end : number.start]), limit]
                end = number.start + len(number.text)
            assert text.parent is not None
            text.parent.replace(text, [*marked, nodes.Text(words[end:])])


def _is_prose(text: nodes.Text) -> bool:
    node: Any = text.parent
    while node is not None:
        if isinstance(node, _NO_PROSE):
            return False
        if isinstance(node, nodes.field) and node[0].astext() == "Source":
            return False
        node = node.parent
    return True


def _docstring(
    _app: Sphinx, what: str, _name: str, thing: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = as_rst(lines)
    if what == "class":
        lines += fields(thing)


def _signature(
    _app: Sphinx,
    what: str,
    _name: str,
    thing: Any,
    _options: Any,
    _args: str | None,
    _result: str | None,
) -> tuple[str, str | None] | None:
    if what == "class":
        return "", None
    return signature(thing) if what in ("function", "method") else None


def _skip(
    _app: Sphinx, _what: str, name: str, thing: Any, _skipped: bool, _options: Any
) -> bool | None:
    """Leave out what says nothing: command lines, and the fields that a tuple names."""
    return True if name == "main" or type(thing).__name__ == "_tuplegetter" else None


def lines_of(body: str) -> str:
    r"""A signature of several lines as lines: Sphinx writes definitions without a term.

    Examples:
        >>> lines_of('<dl>\n<dd><em class="sig-param">x</em>,</dd>\n</dl>')
        '<span class="sig-lines"><span class="sig-line"><em class="sig-param">x</em>,</span></span>'

    """

    def as_spans(found: re.Match[str]) -> str:
        inner = re.sub(r"\s*<(/?)dd>\s*", r"<\1span>", found[1])
        return f'<span class="sig-lines">{inner}</span>'.replace(
            '<span><em class="sig-param', '<span class="sig-line"><em class="sig-param'
        )

    return re.sub(
        r'<dl>\s*(<dd><em class="sig-param.*?</dd>)\s*</dl>', as_spans, body, flags=re.DOTALL
    )


def _respell(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    if 'class="sig ' in context.get("body", ""):
        context["body"] = lines_of(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, and how docstrings and signatures are shown."""
    app.setup_extension("everydigit.site")  # whose node marks a limit
    app.setup_extension("sphinx.ext.autodoc")
    app.config.autodoc_member_order = "bysource"
    app.config.python_maximum_signature_line_length = LINE
    app.add_directive("reference", ReferenceDirective)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-skip-member", _skip)
    app.connect("doctree-read", _mark_numbers)
    app.connect("html-page-context", _respell)
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(ASSETS)))
    app.add_css_file("reference.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
