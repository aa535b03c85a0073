"""Measuring: collections and recipes in; runs, measures, comparisons and reports out."""
