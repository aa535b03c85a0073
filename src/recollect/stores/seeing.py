"""What a scope says before anything is asked. Pure."""

from recollect.model.query import Scope


def sees_nothing(scope: Scope) -> bool:
    """No note can be in none of the sessions, or none of the projects, that are named."""
    return scope.sessions == frozenset() or scope.projects == frozenset()
