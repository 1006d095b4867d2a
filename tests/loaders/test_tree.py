"""From raw nodes to occurrences: unique paths, names from wherever there is one, inherited colours."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dqgen.geometry.transforms import placed
from dqgen.loaders.mesh_features import solid
from dqgen.loaders.tree import Node, finish
from dqgen.schemas.design import Design, Source, walk

SOURCE = Source("file.step", "", "step", "", "mm", 1.0, "", "", "z")
TRIANGLE = solid("t", np.eye(3), np.array([[0, 1, 2]], dtype=np.int32))
assert TRIANGLE is not None
NAME = st.sampled_from(["", "a", "b", "a[1]", "a[2]", "a/b", " a ", "a\nb", "歯車"])
COLOUR = st.none() | st.just((1, 2, 3))


def leaf(instance: str = "", product: str = "", colour: tuple[int, int, int] | None = None) -> Node:
    return Node(instance, product, np.eye(4), colour, 0)


def group(instance: str, product: str, *children: Node, colour: tuple[int, int, int] | None = None) -> Node:
    return Node(instance, product, np.eye(4), colour, None, list(children))


def finished(root: Node) -> Design:
    return finish("file", SOURCE, root, [TRIANGLE], [], [])


def paths(root: Node) -> list[str]:
    return [node.path for node in walk(finished(root).root)]


LEAVES = st.builds(leaf, NAME, NAME, COLOUR)
TREES = st.recursive(
    LEAVES,
    lambda below: st.builds(
        lambda instance, product, children: group(instance, product, *children),
        NAME,
        NAME,
        st.lists(below, min_size=1, max_size=5),
    ),
    max_leaves=15,
)


@given(TREES)
def test_paths_are_unique_and_lead_down_the_tree(root: Node) -> None:
    tree = finished(root).root
    nodes = list(walk(tree))
    assert len({node.path for node in nodes}) == len(nodes)
    for node in nodes:
        assert node.label
        assert node.product
        assert "\n" not in node.path
        for child in node.children:
            assert child.path.startswith(node.path + "/")
            assert "/" not in child.path[len(node.path) + 1 :]


@given(TREES)
def test_no_leaf_is_lost(root: Node) -> None:
    def count(node: Node) -> int:
        return (node.solid is not None) + sum(map(count, node.children))

    assert len(placed(finished(root))) == count(root)


def test_twins_are_numbered_in_file_order_and_never_take_a_name() -> None:
    root = group("", "Car", leaf("Wheel"), leaf("Wheel[1]"), leaf("Wheel"), leaf("Axle"))
    assert paths(root) == ["/Car", "/Car/Wheel[2]", "/Car/Wheel[1]", "/Car/Wheel[3]", "/Car/Axle"]


def test_a_nameless_only_shape_becomes_its_part() -> None:
    root = group("", "Car", group("Left", "Wheel", leaf(colour=(9, 9, 9))))
    (only,) = placed(finished(root))
    assert (only.path, only.occurrence.product, only.colour) == ("/Car/Left", "Wheel", (9, 9, 9))


def test_nameless_shapes_take_the_name_of_their_part() -> None:
    root = group("", "Car", group("Left", "Wheel", leaf(), leaf()))
    assert [(one.path, one.occurrence.product, one.occurrence.named_by) for one in placed(finished(root))] == [
        ("/Car/Left/Wheel[1]", "Wheel", "parent"),
        ("/Car/Left/Wheel[2]", "Wheel", "parent"),
    ]


def test_names_say_where_they_come_from() -> None:
    design = finished(group("", "", leaf("Left", "Wheel"), leaf("", "Axle")))
    assert [(node.label, node.named_by) for node in walk(design.root)] == [
        ("file", "file"),
        ("Left", "instance"),
        ("Axle", "product"),
    ]


def test_the_nearest_colour_wins() -> None:
    root = group(
        "",
        "Car",
        leaf("plain"),
        group("red", "", leaf("inherits"), leaf("own", colour=(0, 0, 255)), colour=(255, 0, 0)),
        colour=(0, 255, 0),
    )
    assert [leaf.colour for leaf in placed(finished(root))] == [(0, 255, 0), (255, 0, 0), (0, 0, 255)]
