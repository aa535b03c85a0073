"""The conductors: a query's whole path in `ask`, a document's in `learn`. Effects only through ports."""
