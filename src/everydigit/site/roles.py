"""Claims and givens in a page: how they are written, and how HTML shows them."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from everydigit.text.page import normal, split_claim


class claim(nodes.Inline, nodes.TextElement):  # noqa: N801 (docutils names nodes so)
    """SHOWN, with the key that finds its record in the ledger."""


class given(nodes.Inline, nodes.TextElement):  # noqa: N801
    """A number that no check stands behind: the `word` for it, and `why` it needs none."""


class claim_block(nodes.General, nodes.Element):  # noqa: N801
    """A claimed table or formula."""


class ClaimRole(SphinxRole):
    """`` {claim}`SHOWN <TARGET>` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """SHOWN as inline Markdown, inside a claim."""
        parts = split_claim(self.text)
        if parts is None:
            message = self.inliner.reporter.error(
                f"a claim without a target: {self.text!r}", line=self.lineno
            )
            return [nodes.literal(text=self.text)], [message]
        node = claim(self.rawtext, "", target=parts[1], key=normal(self.text))
        node.line = self.lineno
        memo: Any = self.inliner
        shown, messages = self.inliner.parse(parts[0], self.lineno, memo, node)
        node += shown
        return [node], messages


class GivenRole(SphinxRole):
    """`` {given}`8` ``: a stipulated number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number, marked as given."""
        why = "given: an input that was chosen, not a result"
        return [given(self.rawtext, self.text, word="given", why=why)], []


class ClaimDirective(SphinxDirective):
    """A table or displayed formula, claimed as a whole."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The content, inside a claim."""
        target = self.arguments[0]
        node = claim_block("", target=target, key=normal(target), claims_whole=True)
        node.line = self.lineno
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _visit(translator: Any, node: nodes.Element) -> None:
    builder, state = translator.builder, node["state"]
    href = ""
    if page := builder.env.get_domain("claims").ledger:
        href = builder.get_relative_uri(builder.current_docname, page)
        href += f"#{state.anchor}" if state.anchor else ""
    block = isinstance(node, claim_block)
    equation = f"{node['target']} = {state.value}" if state.value else node["target"]
    attributes = {
        "class": " ".join(["claim", f"claim--{state.name}", *(["claim--block"] if block else [])]),
        "ids": [f"claim-{state.number}"],
        "title": f"{equation} ({state.sentence})",
        "data-target": node["target"],
        "data-value": state.value,
        "data-state": state.sentence,
        "data-ledger": href,
    }
    translator.body.append(translator.starttag(node, "div" if block else "span", "", **attributes))


def _depart(translator: Any, node: nodes.Element) -> None:
    translator.body.append("</div>\n" if isinstance(node, claim_block) else "</span>")


def _visit_given(translator: Any, node: nodes.Element) -> None:
    attributes = {"class": node["word"], "title": node["why"], "data-state": node["why"]}
    translator.body.append(translator.starttag(node, "span", "", **attributes))


def _pass(translator: Any, node: nodes.Element) -> None:
    """Other formats show SHOWN as it is."""


def register(app: Sphinx) -> None:
    """Make the roles, the directive and their nodes known to Sphinx."""
    formats: dict[str, Any] = dict.fromkeys(("latex", "text", "man", "texinfo"), (_pass, _pass))
    for node, visit in ((claim, _visit), (claim_block, _visit), (given, _visit_given)):
        app.add_node(node, override=False, html=(visit, _depart), **formats)
    app.add_role("claim", ClaimRole())
    app.add_role("given", GivenRole())
    app.add_directive("claim", ClaimDirective)
    app.add_css_file("claims.css")
    app.add_js_file("claims.js", loading_method="defer")
