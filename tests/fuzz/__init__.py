"""Throws odd input at weald: a result or a `WealdError` is right, all else is a finding.

``python -m tests.fuzz --minutes 60 --jobs 2`` looks for long, ``python -m tests.fuzz --rule formulas --seed 123``
replays one input; `test_fuzz` runs a share of each rule with fixed seeds. A rule is one file and one line in
`tests.fuzz.rules`.
"""
