"""Text to vector, and (query, texts) to scores. Importing a module here loads no model."""
