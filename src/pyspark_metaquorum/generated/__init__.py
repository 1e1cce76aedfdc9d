"""Generated modules: read-only, see ``schemas/`` and ``codegen/``."""
