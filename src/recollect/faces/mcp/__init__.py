"""Memory for agents over the Model Context Protocol: seven tools, and notes as resources."""
