# SPDX-License-Identifier: MIT
"""Settings of Sphinx for "make docs"."""

from pathlib import Path

from docutils import nodes
from sphinx.util import logging

project = "user_events"
author = "the user_events authors"
release = Path(__file__).parent.with_name("VERSION").read_text().strip()
nitpicky = True
html_theme = "alabaster"
html_theme_options = {"page_width": "60em"}
html_show_copyright = False


def resolve_links(app, doctree, docname):
    """Links to documents are written with the names of their sources."""
    for link in doctree.findall(nodes.reference):
        name, dot, section = link.get("refuri", "").partition(".rst")
        if not dot or ":" in name:
            continue
        if name not in app.env.found_docs:
            logging.getLogger(__name__).warning(
                "no such document: %s.rst", name, location=link
            )
        link["refuri"] = app.builder.get_relative_uri(docname, name) + section


def setup(app):
    app.connect("doctree-resolved", resolve_links)
