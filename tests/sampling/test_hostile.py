"""Arguments that nobody should give: every function of points returns a result or raises a WealdError, nothing else."""

import inspect
import math
import warnings

import numpy as np
import pytest

from weald import bridson, dart_throwing, jittered_grid, poisson_disk
from weald.errors import InputError, WealdError
from weald.geometry import Bounds, Grid
from weald.sampling import quality
from weald.sampling.elimination import weighted_sample_elimination
from weald.sampling.kernels import box_kernel, disc_kernel, hemisphere_kernel
from weald.sampling.neighbours import Neighbours
from weald.sampling.progressive import progressive_order
from weald.sampling.textbook.bridson import bridson_3d
from weald.sampling.textbook.white_noise import white_noise

HOSTILE = {
    "None": None,
    "True": True,
    "text": "x",
    "bytes": b"abc",
    "400 digits": 10**400,
    "minus 400 digits": -(10**400),
    "1 and 400 zeros": [1] + [0] * 400,
    "400 zeros": np.zeros(400),
    "1e-320": 1e-320,
    "1e-310": 1e-310,
    "1e-170": 1e-170,
    "1e308": 1e308,
    "infinity": math.inf,
    "nan": math.nan,
    "negative": -1,
    "zero": 0,
    "fraction": 1.5,
    "int8": np.int8(3),
    "0-d": np.array(3.0),
    "complex": 1j,
    "complex array": np.array([1j, 2j]),
    "ragged": [[1, 2], [3]],
    "function": lambda *places: 1,
    "object": object(),
    "array of objects": np.array([object()]),
    "dict": {},
    "set": {1, 2},
    "empty": [],
    "range": range(4),
    "texts": ["a", "b", "c", "d"],
    "booleans": np.array([True, False]),
    "dates": np.array(["2020-01-01"], "datetime64[D]"),
    "three axes": np.zeros((2, 2, 2)),
    "box of 400 digits": [10**400] * 4,
    "tiny box": [0, 0, 1e-320, 1e-320],
    "huge box": [-1e308, -1e308, 1e308, 1e308],
    "nan box": [0, 0, math.nan, 1],
    "tiny box of space": [0, 0, 0, 1e-320, 1e-320, 1e-320],
    "huge box of space": [-1e308] * 3 + [1e308] * 3,
    "box of space of 400 digits": [10**400] * 6,
    "points": np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]),
    "points of space": np.zeros((5, 3)),
    "one place": np.ones((9, 2)),
    "points far apart": np.array([[1e308, -1e308], [-1e308, 1e308], [0.0, 0.0]]),
    "points next to each other": np.array([[0.0, 0.0], [1e-320, 0.0], [0.0, 1e-310]]),
    "nan point": np.array([[0.0, math.nan]]),
}

POINTS = np.random.default_rng(0).uniform(0, 10, (60, 2))
IN_SPACE = np.random.default_rng(0).uniform(0, 10, (60, 3))
BOX, SPACE = (0, 0, 10, 10), (0, 0, 0, 5, 5, 5)
CURVE = {"frequency": np.arange(1, 200) * 0.05, "power": np.ones(199)}
MEASURED = {"points": POINTS, "bounds": BOX}
CORRELATION = quality.pair_correlation(POINTS, BOX)


def nearest(xy, cell, x, y):
    return Neighbours(xy, cell).nearest(x, y), Neighbours(xy, cell).nearest_distance()


def within(xy, cell, x, y, distance):
    return Neighbours(xy, cell).within(x, y, distance)


FUNCTIONS = {
    "poisson_disk": (poisson_disk, {"bounds": BOX, "radius": 2.0, "seed": 1}),
    "poisson_disk, varying": (
        poisson_disk,
        {"bounds": BOX, "radius": lambda x, y: 1 + 0 * x, "radius_range": (1, 2), "seed": 1},
    ),
    "poisson_disk, in space": (poisson_disk, {"bounds": SPACE, "radius": 2.0, "seed": 1}),
    "poisson_disk, periodic": (poisson_disk, {"bounds": (0, 0, 30, 30), "radius": 2.0, "seed": 1, "periodic": True}),
    "bridson": (bridson, {"bounds": BOX, "radius": 2.0, "seed": 1}),
    "bridson_3d": (bridson_3d, {"bounds": SPACE, "radius": 2.0, "seed": 1}),
    "dart_throwing": (dart_throwing, {"bounds": BOX, "radius": 2.0, "seed": 1, "max_failures": 50}),
    "jittered_grid": (jittered_grid, {"bounds": BOX, "spacing": 2.0, "seed": 1}),
    "white_noise": (white_noise, {"bounds": BOX, "count": 9, "seed": 1}),
    "weighted_sample_elimination": (weighted_sample_elimination, {"points": POINTS, "count": 9}),
    "weighted_sample_elimination, in space": (weighted_sample_elimination, {"points": IN_SPACE, "count": 9}),
    "disc_kernel": (disc_kernel, {"count": 4, "seed": 1}),
    "hemisphere_kernel": (hemisphere_kernel, {"count": 4, "seed": 1}),
    "box_kernel": (box_kernel, {"bounds": BOX, "count": 4, "seed": 1}),
    "progressive_order": (progressive_order, {"xy": POINTS}),
    "Neighbours.nearest": (nearest, {"xy": POINTS, "cell": 1.0, "x": [1.0], "y": [2.0]}),
    "Neighbours.within": (within, {"xy": POINTS, "cell": 1.0, "x": [1.0], "y": [2.0], "distance": 1.0}),
    "report": (quality.report, {**MEASURED, "radius": 1.0}),
    "conflicts": (quality.conflicts, {**MEASURED, "radius": 1.0}),
    "relative_distance": (quality.relative_distance, {**MEASURED, "radius": 1.0}),
    "packing_share": (quality.packing_share, {**MEASURED, "radius": 1.0}),
    "uncovered_share": (quality.uncovered_share, {**MEASURED, "radius": 1.0}),
    "minimum_distance": (quality.minimum_distance, MEASURED),
    "nearest_distances": (quality.nearest_distances, MEASURED),
    "mean_distance": (quality.mean_distance, MEASURED),
    "clark_evans": (quality.clark_evans, MEASURED),
    "largest_hole": (quality.largest_hole, MEASURED),
    "bond_order": (quality.bond_order, MEASURED),
    "power_spectrum": (quality.power_spectrum, MEASURED),
    "pair_correlation": (quality.pair_correlation, MEASURED),
    "l_function": (quality.l_function, MEASURED),
    "hexagonal_spacing": (quality.hexagonal_spacing, {"count": 9, "area": 3.0}),
    "effective_nyquist": (quality.effective_nyquist, CURVE),
    "oscillations": (quality.oscillations, CURVE),
    "power_from_correlation": (
        quality.power_from_correlation,
        {"correlation": CORRELATION, "frequency": CURVE["frequency"]},
    ),
}
CASES = [(name, argument) for name in FUNCTIONS for argument in inspect.signature(FUNCTIONS[name][0]).parameters]


@pytest.mark.parametrize(("name", "argument"), CASES, ids=[f"{name}-{argument}" for name, argument in CASES])
def test_a_result_or_an_error_of_weald(name, argument):
    function, arguments = FUNCTIONS[name]
    function(**arguments)
    messages, tracebacks = [], []
    for what, value in HOSTILE.items():
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "periodic: the domain is only", UserWarning)
                function(**{**arguments, argument: value})
        except WealdError as error:
            messages.append(str(error))
        except Exception as error:
            tracebacks.append((what, repr(error)))
    assert not tracebacks
    assert len(messages) > 5
    assert all(": " in message for message in messages)


# -- functions that write into what they are given -------------------------------------------


def spoils(function):
    def spoiler(*places):
        answer = np.array(function(*places))
        for place in places:
            place[:] = -7.0
        return answer

    return spoiler


def is_right(*places):
    return places[0] + places[1] > 9


def varies(x, y):
    return 1 + 0.1 * x


class Left:
    bounds = Bounds(*BOX)

    def __call__(self, x, y):
        return x < 7


@pytest.mark.parametrize(
    "arguments",
    [
        {"radius": 0.5, "allowed": is_right},
        {"radius": 0.5, "allowed": is_right, "bounds": "shape"},
        {"radius": varies, "radius_range": (1, 2)},
        {"radius": varies, "radius_range": (1, 2), "allowed": is_right},
        {"radius": varies, "radius_range": (1, 2), "allowed": is_right, "blockers": ([[3, 4], [7, 7]], [1.0, 2.0])},
        {"radius": varies, "radius_range": (1, 400), "allowed": is_right, "blockers": ([[-30, 4]], [1.0])},
        {"radius": lambda x, y: 1 + 0.05 * x, "radius_range": (1, 3), "periodic": True, "bounds": (0, 0, 40, 40)},
        {"radius": 0.4, "allowed": is_right, "bounds": SPACE},
    ],
)
def test_a_function_that_writes_into_its_places_changes_nothing(arguments):
    shape = Left()
    arguments = {"bounds": BOX, "seed": 1, "threads": 1, **arguments}
    spoiled = {name: spoils(value) if inspect.isfunction(value) else value for name, value in arguments.items()}
    if arguments["bounds"] == "shape":
        arguments["bounds"], spoiled["bounds"] = shape, type("Spoilt", (Left,), {"__call__": spoils_method})()
    points = poisson_disk(**arguments)
    assert points == poisson_disk(**spoiled)
    assert len(points) > 10 or "blockers" in arguments


def spoils_method(self, x, y):
    answer = x < 7
    x[:] = y[:] = -7.0
    return answer


@pytest.mark.parametrize("method", [bridson, dart_throwing])
def test_textbook_methods_hand_out_copies(method):
    assert method(BOX, 0.7, seed=1, allowed=is_right) == method(BOX, 0.7, seed=1, allowed=spoils(is_right))


# -- single faults ---------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [1e-170, [0] * 400, [1] + [0] * 400, 10**400])
def test_radii_that_are_none(radius):
    with pytest.raises(InputError, match="radius: got"):
        poisson_disk(BOX, radius, seed=1)


@pytest.mark.parametrize("origin", [10**400, [10**400, 0], [[1, 2], [3]], 1j, "x", [1, 2, 3], math.nan])
def test_origins_that_are_none(origin):
    with pytest.raises(InputError, match=r"origin: got .*; give 2 finite coordinates"):
        poisson_disk(BOX, 2.0, seed=1).float32(origin)


@pytest.mark.parametrize(("box", "spacing"), [(BOX, 1e-310), ((0, 0, 1e300, 1), 1e-300), (BOX, 1e-15)])
def test_grids_of_more_steps_than_can_be_counted(box, spacing):
    with pytest.raises(InputError, match=r"spacing: got .*; give a larger one"):
        Grid.over(box, spacing)


def test_spacings_that_are_none():
    with pytest.raises(InputError, match="spacing: got 1e-310"):
        jittered_grid(BOX, 1e-310, seed=1)


def test_places_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match="x: some of it is not a number"):
        Neighbours(POINTS, 1.0).nearest([math.nan], [1.0])


def test_points_of_a_polygon_are_not_measured_as_a_box():
    with pytest.raises(InputError, match="bounds: got Left; these measures are of boxes"):
        quality.report(POINTS, Left(), radius=1.0)


def test_points_on_all_edges_are_measured():
    lattice = np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), -1).reshape(-1, 2)
    found = quality.report(lattice, (0, 0, 6, 6), radius=1.0)
    assert found.minimum_distance == found.mean_distance == 1.0
    assert found.conflicts == 0
    assert found.uncovered == pytest.approx(0.0, abs=1e-9)
    assert found.hole.radius == pytest.approx(math.sqrt(0.5))
    # on a torus the upper edges are the lower ones
    assert quality.minimum_distance(lattice, (0, 0, 6, 6), periodic=True) == 0.0
    with pytest.raises(InputError, match=r"points: point 6 is \(6.0, 0.0\), outside bounds .* its edges included"):
        quality.report(lattice, (0, 0, 5.999, 6), radius=1.0)
