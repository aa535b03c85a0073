"""An agent's hook: a prompt event in on stdin, memories for its context out, and always exit code 0."""
