# The site of the documentation, for Sphinx. tools/make_site.py copies the pages beside this file and runs it.
import pathlib

from docutils import nodes
from docutils.utils.math import latex2mathml

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


def setup(app):
    def inline(writer, node):
        writer.body.append(formula(node, False))
        raise nodes.SkipNode

    def block(writer, node):
        writer.body.append('<div class="formula">' + formula(node, True) + "</div>")
        raise nodes.SkipNode

    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
