"""Files of ground, one format a file.

A reader takes the path and what the caller has `Given`, and returns a `Sheet`. Nothing is guessed, and
nothing is allocated before the size that the file states has been checked.
"""
