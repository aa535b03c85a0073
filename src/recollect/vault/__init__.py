"""A folder of files on disk: walking it, reading what changed in it, watching it."""
