"""The pages of the site: light, readable offline, operable by everyone.

Sphinx events only; the theme's templates are overridden in `templates/` where no setting will do.
"""

import os
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from booksite.pages.address import drop_relative_addresses, set_addresses
from booksite.pages.fonts import preload_fonts, write_fonts
from booksite.pages.history import keep_sources
from booksite.pages.icons import write_icons
from booksite.pages.kernels import warm_up
from booksite.pages.lean import remove_unused_files, trim_assets, unplug_thebe
from booksite.pages.notebooks import offer_notebook
from booksite.pages.previews import add_previews
from booksite.pages.roles import fix_aria_labels, fix_aria_roles
from booksite.pages.scripts import load_needed_scripts
from booksite.pages.search import add_scripts

HERE = Path(__file__).parent
# The theme finds out whether it is dark when its scripts have come: until then, no colours.
_THEME = """{ const { dataset } = document.documentElement;
if (dataset.theme === "auto") {
  dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
} }"""


def _configure(_app: Sphinx, config: Config) -> None:
    config.templates_path = [str(HERE / "templates"), *config.templates_path]
    config.html_static_path.append(str(HERE / "assets"))
    # Without it the theme complains of an invalid mode in every reader's console.
    config.html_context.setdefault("default_mode", "auto")
    # Kernels compute as pytest does: at these sizes a second thread waits more than it helps.
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect what makes the pages."""
    app.connect("config-inited", _configure)
    app.connect("config-inited", unplug_thebe)
    app.connect("config-inited", set_addresses)
    app.connect("config-inited", warm_up)
    app.connect("doctree-resolved", add_previews)
    app.connect("doctree-resolved", fix_aria_labels)
    app.connect("env-updated", keep_sources, priority=900)
    app.connect("html-page-context", offer_notebook, priority=400)
    app.connect("html-page-context", drop_relative_addresses, priority=900)
    app.connect("html-page-context", fix_aria_roles)
    app.connect("html-page-context", trim_assets, priority=900)
    app.connect("html-page-context", preload_fonts)
    app.connect("html-page-context", load_needed_scripts)
    app.connect("html-page-context", add_scripts)
    app.add_config_value("pages_fonts", {}, "html")
    app.add_config_value("pages_warm", [], "")
    app.connect("build-finished", write_fonts, priority=800)
    app.connect("build-finished", write_icons, priority=800)
    app.connect("build-finished", remove_unused_files, priority=900)
    app.add_js_file(None, body=_THEME)
    app.add_css_file("pages.css")
    app.add_js_file("pages.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
