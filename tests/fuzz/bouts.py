"""Bouts: a process of its own that throws inputs, with limits on time and memory.

The process is a fork of one that has compiled what the rules need. Signals that nobody handles end it when one input
takes too long, in C code too; which input it was stands in memory that both processes share.
"""

import io
import itertools
import mmap
import os
import pickle
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import weald
from tests.fuzz.rule import Rule, smallest

CPU_SECONDS = 10.0
"""What one input may take."""
WALL_SECONDS = 90.0
"""What one input may take, of which it may wait."""
MEMORY = 2 << 30
"""Bytes that one input may ask for."""

_HOME = Path(weald.__file__).parent
_KILLED = {signal.SIGPROF: f"takes over {CPU_SECONDS:g} s", signal.SIGALRM: f"waits over {WALL_SECONDS:g} s"}


@dataclass(frozen=True)
class Finding:
    """What should not have been."""

    rule: str
    seed: int
    key: str
    """Findings with one key are one fault."""
    told: str
    """The traceback, and the smallest input."""


class Bout:
    """Throws the inputs of seeds ``first, first + step ...``: so many, or for so many seconds."""

    def __init__(
        self,
        rule: Rule,
        first: int,
        step: int = 1,
        *,
        most: float = float("inf"),
        seconds: float = float("inf"),
        known: frozenset[str] = frozenset(),
        patience: float = CPU_SECONDS,
    ) -> None:
        self.rule, self.step, self.patience = rule, step, patience
        self._board = mmap.mmap(-1, 32)
        self._write(first, 0, 0)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - of both processes
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _quiet()
                self._work(first, most, time.monotonic() + seconds, set(known))
            except BaseException:  # the process ends here, whatever it was
                self._file.write(pickle.dumps(Finding(rule.name, self.seed, "fuzzer", traceback.format_exc())))
            finally:
                self._file.flush()
                os._exit(0)

    def _write(self, seed: int, results: int, refusals: int) -> None:
        self._board[:24] = struct.pack("qqq", seed, results, refusals)

    @property
    def seed(self) -> int:
        """The seed that is or was thrown last."""
        return struct.unpack("qqq", self._board[:24])[0]

    @property
    def counts(self) -> tuple[int, int]:
        """How many results there were, and how many refusals."""
        return struct.unpack("qqq", self._board[:24])[1:]

    def ended(self) -> int | None:
        """Return the signal that ended the process, 0 if none did, None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0) if pid else None

    def wait(self) -> int:
        """Wait for the end, and return the signal that made it."""
        while (ended := self.ended()) is None:
            time.sleep(0.02)
        return ended

    def findings(self, ended: int) -> list[Finding]:
        """Return what was found, once the process has ended."""
        self._file.seek(0)
        content, found = io.BytesIO(self._file.read()), []
        while content.tell() < len(content.getbuffer()):
            found.append(pickle.load(content))
        if ended and not self._recovers():
            what = _KILLED.get(ended, f"ended by {signal.Signals(ended).name}")
            case = _shown(self.rule, self.rule.case(self.seed))
            # told apart by seed alone: where it stood, nobody knows
            found.append(Finding(self.rule.name, self.seed, f"{what}, seed {self.seed}", f"{what}\ninput: {case}"))
        self._file.close()
        return found

    def _recovers(self) -> bool:
        """Return whether an input that took too long had to compile something: with patience, and then again."""
        if self.patience > CPU_SECONDS:
            return True
        Bout(self.rule, self.seed, most=1, patience=20 * CPU_SECONDS).wait()
        return Bout(self.rule, self.seed, most=1).wait() == 0

    # -- in the process -------------------------------------------------------------------------------

    def _work(self, first: int, most: float, end: float, known: set[str]) -> None:
        results = refusals = 0
        for seed in itertools.count(first, self.step):
            if results + refusals >= most or time.monotonic() > end:
                return
            self._write(seed, results, refusals)
            case = self.rule.case(seed)
            key, told = self._try(case)
            refusals += key == "refused"
            results += key != "refused"
            if key not in ("", "refused", *known):
                known.add(key)
                case = smallest(case, lambda less, key=key: self._try(less)[0] == key)
                finding = Finding(self.rule.name, seed, key, f"{told}input: {_shown(self.rule, case)}")
                self._file.write(pickle.dumps(finding))
                self._file.flush()
            self._write(seed, results, refusals)

    def _try(self, case: Any) -> tuple[str, str]:
        """Use an input, and return the key of what was found: none, "refused", or a fault with its traceback."""
        signal.setitimer(signal.ITIMER_PROF, self.patience)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS / CPU_SECONDS * self.patience)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", UserWarning)  # said on purpose
                self.rule.run(case)
        except weald.WealdError as error:
            if "Traceback" in str(error) or not str(error):
                return _key(error), _traceback(error)
            return "refused", ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return _key(error), _traceback(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return "", ""


def _key(error: BaseException) -> str:
    """Return what tells faults apart: the kind, and the last line of weald that it went through."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(_HOME)]
    where = f" in {Path(ours[-1].filename).relative_to(_HOME)}:{ours[-1].lineno}" if ours else ""
    if isinstance(error, RecursionError):  # where it happens is chance
        where = where.partition(":")[0]
    return f"{type(error).__name__}{where}"


def _traceback(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-6))


def _shown(rule: Rule, case: Any) -> str:
    text = rule.show(case)
    return text if len(text) < 1500 else f"{text[:1500]} ... ({len(text):,} characters)"


def _quiet() -> None:
    """Set the limits, and send to nowhere what libraries print."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    for kind in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(kind, signal.SIG_DFL)
    pages = Path("/proc/self/statm")
    if pages.exists():
        limit = int(pages.read_text().split()[0]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
