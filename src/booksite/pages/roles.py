"""Roles and labels that assistive programs understand."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def fix_aria_roles(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Make docutils' bibliography entries items of their list; their own role is deprecated."""
    if "body" in context:
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


def fix_aria_labels(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Take away the labels that every exercise of a page would share."""
    for section in doctree.findall(nodes.section):
        if section["ids"] in (["exercise-content"], ["solution-content"]):
            section["classes"] += section["ids"]
            section["ids"] = []
