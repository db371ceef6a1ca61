"""What Sphinx keeps of a book's claims from page to page and from build to build."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from everydigit import ledger
from everydigit.site import failures
from everydigit.site.roles import claim, claim_block, given
from everydigit.site.states import Checks, PageChecks, State

ASSETS = Path(__file__).parent / "assets"
_log = logging.getLogger(__name__)


class ClaimsDomain(Domain):
    """The claims of each page as Sphinx read it, and the pages that list them all."""

    name = "claims"
    label = "Claims"
    data_version = 1
    initial_data: dict[str, Any] = {  # noqa: RUF012
        "claims": {},  # of each page, what they say and their lines, in the order of the lines
        "ledgers": set(),  # the pages that list all claims
        "ledger": "",  # the one that claims led to when the site was last written
        "digests": {},  # of what each page could show of its checks when it was last read
    }

    @cached_property
    def checks(self) -> Checks:
        """The ledger, loaded once a build."""
        root = Path(self.env.srcdir)
        try:
            return Checks(ledger.load(root / self.env.config.claims_ledger), root)
        except ledger.LedgerError as error:
            _log.warning("%s", error, type="claims")
            return Checks({"pages": {}}, root)

    def page(self, docname: str) -> PageChecks:
        """The checks of a page of the site."""
        return self.checks.page(Path(self.env.doc2path(docname, base=False)).as_posix())

    def states(self, docname: str) -> list[State]:
        """What is known of each claim of a page, in the order of its source."""
        return self.page(docname).states(self.data["claims"].get(docname, ()))

    @property
    def ledger(self) -> str:
        """The page that a claim leads to; empty if none lists the claims."""
        return min(self.data["ledgers"], default="")

    def clear_doc(self, docname: str) -> None:
        """Forget a page."""
        self.data["claims"].pop(docname, None)
        self.data["ledgers"].discard(docname)

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        """Take over the pages that another process read."""
        read = otherdata["claims"]
        self.data["claims"] |= {name: read[name] for name in docnames if name in read}
        self.data["ledgers"] |= otherdata["ledgers"].intersection(docnames)

    def process_doc(self, _env: BuildEnvironment, docname: str, document: nodes.document) -> None:
        """Give each claim of a page the number of its record, and what the ledger says of it.

        Sphinx puts footnotes last and a card's title below its header, so a record is found by
        what its claim says.  Claims that say the very same are told apart by the line of the
        block each stands in, and within one block they are read in order.  That is enough: where
        a directive gives a line that is not quite true, only twins close to each other could be
        taken for one another, and these differ at most in what a cell between them changed.
        """
        found = [*document.findall(claim), *document.findall(claim_block)]
        found.sort(key=lambda node: node.line or 0)
        self.data["claims"][docname] = [(node["key"], node.line or 0) for node in found]
        for node, state in zip(found, self.states(docname), strict=True):
            node["state"] = state
        # Said at a page's beginning, before the browser has read as far as a claim.
        for section in list(document.findall(nodes.section))[: bool(found)]:
            section["classes"].append("has-claims")

    def resolve_xref(
        self,
        _env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        _typ: str,
        target: str,
        node: Any,
        contnode: nodes.Element,
    ) -> nodes.Element:
        """Lead from a row of the ledger to its claim, or to the page if the claim is not shown."""
        state: State = node["state"]
        shown = any(state.anchor == other.anchor for other in self.states(target))
        label = f"claim-{state.number}" if shown else ""
        return make_refnode(builder, fromdocname, target, label, contnode)


def claims_of(env: BuildEnvironment) -> ClaimsDomain:
    """The claims of the book that is being built."""
    return cast(ClaimsDomain, env.get_domain("claims"))


def _outdated(
    _app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Pages whose checks changed since they were last read; any change is one of the ledger's."""
    domain = claims_of(env)
    seen: dict[str, str] = domain.data["digests"]
    now = {name: domain.checks.digest(domain.page(name).source) for name in env.found_docs}
    now[""] = domain.checks.digest()
    domain.data["digests"] = now
    # What no current record vouches for is never taken from an earlier build.
    stale = {n for n in env.found_docs if seen.get(n) != now[n] or not domain.page(n).current}
    if stale or added or changed or removed or seen.get("") != now[""]:
        stale |= domain.data["ledgers"]
    return sorted((stale & env.found_docs) - added - changed - removed)


def _updated(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Say on every build, also one that reads nothing anew, which pages are not checked.

    If the claims lead to another page than before, all pages with claims are written again.
    """
    domain = claims_of(env)
    for name in sorted(env.found_docs):
        states = domain.states(name)
        claims = domain.data["claims"].get(name, ())
        if trouble := domain.page(name).trouble():
            _log.warning("page not checked: %s", trouble, location=name, type="claims")
        missing = [(c, s) for (c, _), s in zip(claims, states, strict=True) if s.name != "checked"]
        for key, state in missing[:1]:
            said = f"{len(missing)} of {len(claims)} claims not checked: {key!r}: {state.sentence}"
            _log.warning("%s", said, location=name, type="claims")
    before, domain.data["ledger"] = domain.data["ledger"], domain.ledger
    return list(domain.data["claims"]) if before != domain.ledger else []


def _quiet_titles(app: Sphinx, _doctree: nodes.document) -> None:
    """A heading's claim must not be cloned into tables of contents: there it is text."""
    env, name = app.env, app.env.docname
    for place in (env.titles, env.longtitles, env.tocs):
        if name in place:
            for node in [*place[name].findall(claim), *place[name].findall(given)]:
                node.replace_self(node.children)


def _show_failures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    failures.show(doctree, claims_of(app.env).page(docname).failures())


def register(app: Sphinx) -> None:
    """Make the domain known to Sphinx, and call on it where Sphinx does not by itself."""
    app.add_config_value("claims_ledger", ledger.DEFAULT_PATH, "env")
    for further in ("claims_prose", "claims_verbatim"):  # everydigit.text.reading looks them up
        app.add_config_value(further, [], "", (list, tuple, set))
    app.add_domain(ClaimsDomain)
    app.connect("builder-inited", lambda app: app.config.html_static_path.append(str(ASSETS)))
    app.connect("env-get-outdated", _outdated)
    app.connect("doctree-read", _quiet_titles)
    app.connect("doctree-resolved", _show_failures)
    app.connect("env-updated", _updated)
