"""The Sphinx side: numbers a reader can ask, and marks that were earned."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from everydigit import ledger
from everydigit.site import failures, ledger_filter
from everydigit.site.ledger_page import LedgerDirective, link_ledger
from everydigit.site.states import Checks, PageChecks
from everydigit.text.page import normal, split_claim

ASSETS = Path(__file__).parent / "assets"
_log = logging.getLogger(__name__)


class claim(nodes.Inline, nodes.TextElement):  # noqa: N801 (docutils names nodes so)
    """SHOWN, with the key that finds its record in the ledger."""


class given(nodes.Inline, nodes.TextElement):  # noqa: N801
    """A stipulated number."""


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
        node = claim(self.rawtext, "", target=parts[1], claim=_claimed(self.env, normal(self.text)))
        memo: Any = self.inliner
        shown, messages = self.inliner.parse(parts[0], self.lineno, memo, node)
        node += shown
        return [node], messages


class GivenRole(SphinxRole):
    """`` {given}`8` ``: a stipulated number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number, marked as given."""
        return [given(self.rawtext, self.text)], []


class ClaimDirective(SphinxDirective):
    """A table or displayed formula, claimed as a whole."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The content, inside a claim."""
        target = self.arguments[0]
        claimed = _claimed(self.env, normal(target))
        node = claim_block("", target=target, claim=claimed, claims_whole=True)
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _claimed(env: BuildEnvironment, key: str) -> int:
    """Note a claim of the page being read; its number on the page."""
    claims: list[str] = _claims(env).setdefault(env.docname, [])
    claims.append(key)
    return len(claims) - 1


def _claims(env: BuildEnvironment) -> dict[str, list[str]]:
    if not hasattr(env, "claims_read"):
        env.claims_read = {}  # type: ignore[attr-defined]
    found: dict[str, list[str]] = env.claims_read  # type: ignore[attr-defined]
    return found


def _checks(app: Sphinx, docname: str) -> PageChecks:
    found: PageChecks = app.claims.page(_source(app.env, docname))  # type: ignore[attr-defined]
    return found


def _load(app: Sphinx) -> None:
    app.config.html_static_path.append(str(ASSETS))
    path = Path(app.srcdir) / app.config.claims_ledger
    try:
        app.claims = Checks(ledger.load(path), Path(app.srcdir))  # type: ignore[attr-defined]
    except ledger.LedgerError as error:
        _log.warning("%s", error, type="claims")
        app.claims = Checks({"pages": {}}, Path(app.srcdir))  # type: ignore[attr-defined]


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Pages whose checks changed since they were last read, and the ledger page with them."""
    seen: dict[str, str] = getattr(env, "claims_digests", {})
    now = {name: app.claims.digest(_source(env, name)) for name in env.found_docs}  # type: ignore[attr-defined]
    now[""] = app.claims.digest()  # type: ignore[attr-defined]
    env.claims_digests = now  # type: ignore[attr-defined]
    stale = {name for name in env.found_docs if seen.get(name) != now[name]}
    # What no current record vouches for is never taken from an earlier build.
    stale |= {name for name in env.found_docs if not _checks(app, name).current}
    if seen.get("") != now[""]:
        stale |= getattr(env, "claims_ledger_pages", set())
    return sorted((stale & env.found_docs) - added - changed - removed)


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _claims(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    _claims(env).update({name: _claims(other)[name] for name in docnames if name in _claims(other)})


def _quiet_titles(app: Sphinx, doctree: nodes.document) -> None:
    """A heading's claim must not be cloned into tables of contents: there it is text."""
    env, name = app.env, app.env.docname
    for place in (env.titles, env.longtitles, env.tocs):
        if name in place:
            for node in [*place[name].findall(claim), *place[name].findall(given)]:
                node.replace_self(node.children)


def _show_failures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    failures.show(doctree, _checks(app, docname).failures())


def _keep_room(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Say at a page's beginning that it has claims, before the browser has read as far as one."""
    if next(doctree.findall(lambda node: isinstance(node, claim | claim_block)), None) is not None:
        for section in list(doctree.findall(nodes.section))[:1]:
            section["classes"].append("has-claims")


def _warn(app: Sphinx, env: BuildEnvironment) -> Iterable[str]:
    """Say on every build, also one that reads nothing anew, which pages are not checked."""
    for name in sorted(env.found_docs):
        keys = _claims(env).get(name, [])
        missing = [f"{key!r}: {why}" for key, why in _checks(app, name).unchecked(keys)]
        if trouble := _checks(app, name).trouble():
            _log.warning("page not checked: %s", trouble, location=name, type="claims")
        if missing:
            _log.warning(
                "%d of %d claims not checked: %s", len(missing), len(keys), missing[0],
                location=name, type="claims",
            )  # fmt: skip
    return []


def _source(env: BuildEnvironment, docname: str) -> str:
    return Path(env.doc2path(docname, base=False)).as_posix()


def _visit(translator: Any, node: nodes.Element) -> None:
    builder = translator.builder
    page = _checks(builder.app, builder.current_docname)
    keys = _claims(builder.env).get(builder.current_docname, [])
    state = page.state(keys, node["claim"])
    pages = sorted(getattr(builder.env, "claims_ledger_pages", []))
    href = ""
    if pages:
        href = builder.get_relative_uri(builder.current_docname, pages[0])
        href += f"#{state.anchor}" if state.anchor else ""
    block = isinstance(node, claim_block)
    equation = f"{node['target']} = {state.value}" if state.value else node["target"]
    attributes = {
        "class": " ".join(["claim", f"claim--{state.name}", *(["claim--block"] if block else [])]),
        "ids": [f"claim-{node['claim']}"],
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
    said = "given: an input that was chosen, not a result"
    attributes = {"class": "given", "title": said, "data-state": said}
    translator.body.append(translator.starttag(node, "span", "", **attributes))


def _pass(translator: Any, node: nodes.Element) -> None:
    """Other formats show SHOWN as it is."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the roles, the directives, and what keeps them honest."""
    app.add_config_value("claims_ledger", ledger.DEFAULT_PATH, "env")
    for further in ("claims_prose", "claims_verbatim"):  # everydigit.text.reading looks them up
        app.add_config_value(further, [], "", (list, tuple, set))
    formats: dict[str, Any] = dict.fromkeys(("latex", "text", "man", "texinfo"), (_pass, _pass))
    for node, visit in ((claim, _visit), (claim_block, _visit), (given, _visit_given)):
        app.add_node(node, override=False, html=(visit, _depart), **formats)
    ledger_filter.register(app)
    app.add_role("claim", ClaimRole())
    app.add_role("given", GivenRole())
    app.add_directive("claim", ClaimDirective)
    app.add_directive("claims-ledger", LedgerDirective)
    app.connect("builder-inited", _load)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-read", _quiet_titles)
    app.connect("doctree-resolved", link_ledger)
    app.connect("doctree-resolved", _show_failures)
    app.connect("doctree-resolved", _keep_room)
    app.connect("env-updated", _warn)
    app.add_css_file("claims.css")
    app.add_js_file("claims.js", loading_method="defer")
    return {
        "version": "1",
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
