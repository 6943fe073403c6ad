"""The textbook methods, to learn from and to compare with: what each does well, and what it lacks.

| method | spacing | gaps | depends on |
| --- | --- | --- | --- |
| `white_noise` | none | clumps and holes | the count |
| `jittered_grid` | none | small | each cell alone |
| `dart_throwing` | exact | some, fewer the longer it runs | the order of the darts |
| `bridson` | exact | some | the first point and every pick after it |

`weald.sampling.poisson.poisson_disk` has exact spacing, no gaps, and depends on the place alone.
"""
