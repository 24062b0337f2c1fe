"""The pages of docs/ as a site, by Sphinx with MyST: ./dev site. Its sources are a copy that dev lays out as the tree is."""

import re

project = "Headrace"
author = "The Headrace authors"
copyright = "The Headrace authors"  # noqa: A001  # Sphinx reads this name
html_title = "Headrace"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
language = "en"

# Headings get the anchors that links on the pages name, as in the links test.
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

# Nothing is fetched from elsewhere: a reader may have the pages in a folder without network.
html_theme = "alabaster"
html_theme_options = {
    "description": "How training data reaches the GPUs",
    "fixed_sidebar": True,
    "font_family": "sans-serif",
    "page_width": "1100px",
    "sidebar_width": "240px",
    "show_powered_by": False,
}
html_static_path = ["static"]
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"], "search": ["about.html", "navigation.html"]}
html_show_sourcelink = False
html_copy_source = False
html_use_index = False


def _take_folders_for_their_page(app, name, source):
    """A link to a folder leads to the list of its pages."""
    source[0] = re.sub(r"\]\(([a-z/._-]+)/\)", r"](\1/index.md)", source[0])


def setup(app):
    app.connect("source-read", _take_folders_for_their_page)
