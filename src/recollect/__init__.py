"""Memory and knowledge search that shows its work."""
