"""weald grows natural worlds."""
