"""Dates of the last change, from the repository's history where there is one."""

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def keep_sources(_app: Sphinx, env: BuildEnvironment) -> None:
    """A copy without history has no dates, but it has sources: keep the links to them."""
    dates = env.git_last_updated  # type: ignore[attr-defined]
    for name, found in dates.items():
        if found is None:
            dates[name] = (None, True)
