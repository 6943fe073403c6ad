"""Makes random changes to weald and runs a room's tests on each: what survives is what tests miss. Run by hand.

``python -m tests.mutation --room scatter --number 20``
"""
