"""Policy as data: everything that decides an order, and nothing that runs. Pure."""
