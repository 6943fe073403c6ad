"""The one place where rasterio, and with it GDAL and PROJ, is imported."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from weald.errors import require_extra


@contextmanager
def rasterio(purpose: str) -> Iterator[ModuleType]:
    """Give rasterio with settings that do not depend on the surroundings.

    Parameters
    ----------
    purpose
        What it is needed for, as the subject of "needs".
    """
    module = require_extra("rasterio", "geo", purpose)
    require_extra("rasterio.warp", "geo", purpose)
    # a file's tie point is that of a sample where the file says so, whatever the environment says;
    # inside an Env messages of GDAL go to the log and not to the terminal
    with module.Env(GTIFF_POINT_GEO_IGNORE="NO", PROJ_NETWORK="OFF"), warnings.catch_warnings():
        warnings.simplefilter("ignore", module.errors.NotGeoreferencedWarning)
        yield module
