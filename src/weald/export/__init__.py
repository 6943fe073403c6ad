"""Files that other programs open."""
