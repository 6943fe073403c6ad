"""Points of space: the dart process of the plane, with one axis more and fewer short cuts.

What is promised and what is given up along a mask: see "Space" in ``docs/sampler.md``.
"""
