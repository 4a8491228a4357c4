"""The in-browser inspector: one look at a model, all of it, in any page."""

from viz.inspector.notebook import Shown, show

__all__ = ["Shown", "show"]
