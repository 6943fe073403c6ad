"""The picture of an inventory."""

import numpy as np
from PIL import Image

from tests import worlds
from weald.preview.stand import draw_stand
from weald.scatter.inventory import l_functions, take_inventory


def test_a_table_and_a_panel_a_layer(tmp_path):
    box = (0, 0, 360, 360)
    layers = worlds.world(tmp_path).layers()
    layers["$odd_{"] = layers["oaks"][:2]  # too few for a curve, and a name that is no formula
    inventory, curves = take_inventory(layers, box), l_functions(layers, box, simulations=2)
    assert set(curves) == {"conifers", "oaks", "bushes"}
    draw_stand(tmp_path / "a.png", inventory, curves, title="$a")
    draw_stand(tmp_path / "b.png", inventory, {})
    with Image.open(tmp_path / "a.png") as image, Image.open(tmp_path / "b.png") as table:
        assert image.width == table.width
        assert image.height > table.height + 300
        assert np.asarray(image).std() > 5
