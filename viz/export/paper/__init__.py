"""Views of a look as figures for paper: matplotlib draws PNG, SVG and PDF alike."""
