"""Developer programs: each does one thing and none of them ships."""
