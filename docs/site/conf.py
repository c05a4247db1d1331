# The site of the documentation, for Sphinx. tools/make_site.py copies the pages beside this file and runs it.
import pathlib

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx import addnodes
from sphinx.environment.adapters.toctree import TocTree

project = "Broadloom"
copyright = "the authors of Broadloom"  # noqa: A001
release = version = pathlib.Path("VERSION").read_text().strip() if pathlib.Path("VERSION").exists() else ""
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "cpp"
html_theme = "furo"
html_title = "Broadloom"
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # browsers do not let scripts read other pages from files
html_css_files = ["site.css"]
html_static_path = ["_static"]
exclude_patterns = ["_build"]


def formula(node, block):
    """MathML, which browsers draw themselves: no script, nothing to fetch."""
    return latex2mathml.tex2mathml(node.astext(), inline=not block)


class Titles(dict):
    """Of each page's contents the title and the pages below it: what the sidebar shows."""

    def __init__(self, contents):
        super().__init__((page, toc.deepcopy()) for page, toc in contents.items())
        for toc in self.values():
            for entry in toc:
                if len(entry) > 1:
                    below = list(entry.findall(addnodes.toctree))
                    if below:
                        entry[1][:] = below
                    else:
                        entry.pop(1)


def quick_sidebar():
    """Sphinx copies the contents of all pages, with a section for every name, for the sidebar of each, and then keeps the titles: half of
    the time of a build. Here it copies the titles."""
    whole = TocTree.get_toctree_for

    def get_toctree_for(self, docname, builder, collapse, **options):
        env = self.env
        if not options.get("titles_only"):
            return whole(self, docname, builder, collapse, **options)
        contents = env.tocs
        if not hasattr(builder, "page_titles"):
            builder.page_titles = Titles(contents)
        try:
            env.tocs = builder.page_titles
            return whole(self, docname, builder, collapse, **options)
        finally:
            env.tocs = contents

    TocTree.get_toctree_for = get_toctree_for


def setup(app):
    quick_sidebar()

    def inline(writer, node):
        writer.body.append(formula(node, False))
        raise nodes.SkipNode

    def block(writer, node):
        writer.body.append('<div class="formula">' + formula(node, True) + "</div>")
        raise nodes.SkipNode

    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
