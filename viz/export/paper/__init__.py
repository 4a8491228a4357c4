"""Views of a trace as figures for paper: matplotlib draws PNG, SVG and PDF alike."""
