"""What a rule of the fuzzer is: how an input is made from a seed, and what is done with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One kind of input.

    An input is plain data (texts, bytes, numbers, lists, tuples, dicts), so that it can be shown and made smaller. The
    same name and seed give the same input everywhere.
    """

    name: str
    make: Callable[[Random], Any]
    run: Callable[[Any], object]
    """Uses an input; an output that is made step by step must be drawn here."""
    quick: int
    """How many inputs the tests throw."""
    share: float
    """Of the time of a long run, in relation to the other rules."""
    show: Callable[[Any], str] = repr

    def case(self, seed: int) -> Any:
        """Return the input of a seed."""
        return self.make(Random(f"{self.name}/{seed}"))


def smaller(value: Any) -> Iterator[Any]:
    """Yield inputs that are a little smaller: parts left out, texts halved, parts made smaller in turn."""
    match value:
        case dict():
            for key in value:
                yield {other: value[other] for other in value if other != key}
            for key in value:
                for less in smaller(value[key]):
                    yield value | {key: less}
        case list():
            for k in range(len(value)):
                yield value[:k] + value[k + 1 :]
            for k, item in enumerate(value):
                for less in smaller(item):
                    yield [*value[:k], less, *value[k + 1 :]]
        case tuple():  # of a fixed length
            for k, item in enumerate(value):
                for less in smaller(item):
                    yield (*value[:k], less, *value[k + 1 :])
        case str() | bytes():
            size = len(value) // 2
            while size:
                for start in range(0, len(value), size):
                    yield value[:start] + value[start + size :]
                size //= 2


def smallest(value: Any, still: Callable[[Any], bool], tries: int = 300) -> Any:
    """Return a smaller input that still does what this one does."""
    while True:
        for less in smaller(value):
            if tries == 0:
                return value
            tries -= 1
            if still(less):
                value = less
                break
        else:
            return value
