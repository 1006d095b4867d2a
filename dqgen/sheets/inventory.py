"""What a page is made of, counted."""

from collections import Counter

from dqgen.schemas.reading import Inventory
from dqgen.schemas.sheet import Layer, Page


def inventory_of(page: Page, layers: tuple[Layer, ...]) -> Inventory:
    """Counts of a page's entities by kind, layer and block; blocks are opened, for every time they stand there."""
    entities = page.entities
    kinds = Counter(entities.kinds[row] for row in entities.kind.tolist())
    by_layer = Counter("" if row < 0 else layers[row].name for row in entities.layer.tolist())
    blocks = Counter(
        entities.name[row] for row in range(len(entities)) if entities.kinds[int(entities.kind[row])] == "INSERT"
    )
    return Inventory(
        kinds=dict(sorted(kinds.items())),
        layers=dict(sorted(by_layer.items())),
        blocks=dict(sorted(blocks.items())),
    )
