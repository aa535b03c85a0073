"""Memory and knowledge search that shows its work."""

__version__ = "0.1.0"  # as the package says of itself, which takes longer to ask
