"""Nothing on a page that the page does not use."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

# A style or script is loaded only where the page's body holds what it serves.
NEEDED_BY = {
    "sphinx-design.min.css": 'class="sd-',
    "design-tabs.js": 'class="sd-tab',
    "togglebutton.css": "dropdown",
    "togglebutton.js": "dropdown",
    "copybutton.css": 'class="highlight"',
    "copybutton.js": 'class="highlight"',
    "clipboard.min.js": 'class="highlight"',
    "exercise.css": "exercise",
}
UNUSED = ("thebe", "DOCUMENTATION_OPTIONS.pagename")
_DISCARDED = (
    *("scripts/fontawesome.js*", "vendor/fontawesome", "locales"),
    *("**/*.map", "*thebe*", "*macros.html"),
)


def unplug_thebe(app: Sphinx, _config: Config) -> None:
    """Take out sphinx-thebe, which Jupyter Book always puts in: it asks a foreign host for code."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__ == "sphinx_thebe":
                app.disconnect(listener.id)


def trim_assets(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Leave out styles and scripts that the page has no use for; defer those that stay."""
    body = context.get("body", "")
    for kind in ("css_files", "script_files"):
        context[kind] = list(_needed(context.get(kind, []), body))
    # The search page calls its scripts while it is being read.
    if doctree is not None:
        context["script_files"] = [_deferred(script) for script in context["script_files"]]


def _deferred(script: Any) -> Any:
    """A script of its own for this page: Sphinx hands the same ones to all pages."""
    if not script.filename or "async" in script.attributes:
        return script
    attributes = {**script.attributes, "defer": "defer"}
    return type(script)(script.filename, priority=script.priority, **attributes)


def _needed(assets: Iterable[Any], body: str) -> Iterable[Any]:
    seen = set()
    for asset in assets:
        text = f"{asset.filename or ''}{asset.attributes.get('body', '')}"
        name = Path(str(asset.filename or "").partition("?")[0]).name
        if text in seen or any(word in text for word in UNUSED):
            continue
        seen.add(text)
        if NEEDED_BY.get(name, "") in body:
            yield asset


def remove_unused_files(app: Sphinx, exception: Exception | None) -> None:
    """Remove from the finished site the theme's files that no page loads."""
    if exception or app.builder.format != "html" or app.builder.name == "epub":
        return
    static = Path(app.outdir) / "_static"
    for pattern in _DISCARDED:
        for path in list(static.glob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
