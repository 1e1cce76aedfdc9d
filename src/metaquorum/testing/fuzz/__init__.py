"""Fuzz targets: each reads arbitrary bytes and holds one reader to its promise."""
