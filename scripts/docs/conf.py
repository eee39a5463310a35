# SPDX-License-Identifier: Apache-2.0
"""Sphinx, as Debian 12 has it, for the pages that stage.py lays out."""
import os

project = "acesim"
author = "the acesim maintainers"
copyright = author
release = os.environ.get("ACESIM_VERSION", "")

extensions = ["myst_parser"]
root_doc = "README"
myst_heading_anchors = 4
myst_enable_extensions = []
highlight_language = "none"
smartquotes_action = "q"    # -- stays: it begins an option
suppress_warnings = ["misc.highlighting_failure"]   # a picture in ASCII is no program

html_theme = "furo"
html_title = f"acesim {release}".strip()
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["acesim.css"]
html_last_updated_fmt = None
