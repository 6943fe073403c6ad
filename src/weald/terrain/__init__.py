"""The ground: heights on a grid, and what follows from them."""
