"""The service: the engine over HTTP, and the page that shows why a result stands where it stands."""
