"""A package, not a namespace: of those, an installed package's own `tests` would take the name."""
