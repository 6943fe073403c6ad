"""Units of height, by the names that files give them."""

from __future__ import annotations

from weald.errors import InputError, nearest

_METRES = {
    1.0: ("metre", "metres", "meter", "meters", "m"),
    0.3048: ("foot", "feet", "ft", "international foot", "international feet"),
    1200 / 3937: ("us survey foot", "us survey feet", "ftus", "us-ft", "foot_us", "us_ft"),
    0.1: ("decimetre", "decimetres", "decimeter", "decimeters", "dm"),
    0.01: ("centimetre", "centimetres", "centimeter", "centimeters", "cm"),
    0.001: ("millimetre", "millimetres", "millimeter", "millimeters", "mm"),
    1000.0: ("kilometre", "kilometres", "kilometer", "kilometers", "km"),
}
_BY_NAME = {name: metres for metres, names in _METRES.items() for name in names}


def metres_in(unit: str) -> float:
    """Return the metres in one unit.

    >>> metres_in("feet"), metres_in("US survey foot") == 1200 / 3937
    (0.3048, True)
    """
    name = unit.strip().lower()
    if name not in _BY_NAME:
        known = ", ".join(names[0] for names in _METRES.values())
        raise InputError(f"vertical_unit: got {unit!r}; give one of {known}{nearest(name, _BY_NAME)}")
    return _BY_NAME[name]
