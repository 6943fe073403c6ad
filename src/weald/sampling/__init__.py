"""Where points may stand: exact, maximal, window-independent samples of the plane."""
