"""Shows which stage of a long command runs."""

from __future__ import annotations

from pathlib import Path

import typer


class Progress:
    """Shows which of a number of stages runs: a bar on a terminal, a line a stage elsewhere."""

    def __init__(self, stages: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description:<28}", markup=False),
            BarColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("spec", total=stages)
        self._plain = not self._bar.console.is_terminal
        self._begun = False

    def __enter__(self) -> Progress:
        if not self._plain:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if not self._plain:
            self._bar.stop()

    def __call__(self, stage: str) -> None:
        """Tell that a stage begins."""
        if self._plain:
            typer.echo(f"  {stage} ...", err=True)
        else:
            self._bar.update(self._task, description=stage, advance=1 if self._begun else 0)
        self._begun = True


def note_first_run() -> None:
    """Say why the first run takes longer: kernels are compiled once, then kept where Numba keeps them."""
    from weald.sampling.darts import throw

    # beside the package, in NUMBA_CACHE_DIR, or below the home folder: only Numba knows which
    folder = throw.stats.cache_path
    if folder is None or not any(Path(folder).glob("darts.throw-*.nbi")):
        typer.echo("First run here: compiling kernels once, about 20 s.", err=True)
