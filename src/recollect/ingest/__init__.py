"""A document's way in, pure: raw text becomes a page, with links and passages. Opens no file."""
