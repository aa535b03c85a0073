"""How people and programs ask: each face translates, none of them decides."""
