"""Noise kernels: one basis a file, and how octaves add up."""
