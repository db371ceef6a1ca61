"""A book on plain Sphinx and MyST: no Jupyter Book, nothing of the repository but the checker."""

project = "Water"
extensions = ["myst_nb", "everydigit.site"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_theme = "basic"
exclude_patterns = ["_build", ".pytest_cache"]
