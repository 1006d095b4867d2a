"""The lines of a view: which curves are drawn, and with which pen."""

from dataclasses import replace

from dqgen.geometry.hidden_lines import HiddenLines, LineOptions
from dqgen.geometry.transforms import Placed
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.display_list import Pen, Stroke
from dqgen.renderers.drawing.drafting import HIDDEN, TANGENT, VISIBLE
from dqgen.renderers.drawing.projection import Projection, strokes
from dqgen.renderers.views import View
from dqgen.schemas.design import Colour

GHOST_GREY: Colour = (150, 160, 180)


class Linework:
    """The curves of a scene's leaves, view by view, each found once."""

    def __init__(self, scene: Scene, hidden: bool, tangent: bool) -> None:
        """
        Args:
            scene: what is shown, and in which state.
            hidden: draw hidden lines, dashed.
            tangent: draw edges between tangent faces, thin.
        """
        self._rows = scene.rows("shown", "highlighted", "ghosted")
        self.leaves: list[Placed] = [scene.leaves[row] for row in self._rows]
        opaque = [scene.leaves[row] for row in scene.rows("shown", "highlighted")]
        self._states = [scene.states[row] for row in self._rows]
        self._lines = HiddenLines(self.leaves, opaque)
        self._hidden = hidden
        self._tangent = tangent
        self._known: dict[tuple[str, bool], tuple[ViewCurve, ...]] = {}

    def curves(self, view: View, hidden: bool = True) -> tuple[ViewCurve, ...]:
        """The curves of a view; hidden ones too if asked for, whether or not they are drawn."""
        key = view.name, hidden
        if key not in self._known:
            options = LineOptions(hidden=hidden, tangent=self._tangent)
            self._known[key] = tuple(self._lines.view(view.rotation, options))
        return self._known[key]

    def strokes(self, projection: Projection, hidden: bool | None = None) -> tuple[Stroke, ...]:
        """The lines of a view on paper."""
        draw_hidden = self._hidden if hidden is None else hidden

        def pen(curve: ViewCurve) -> Pen | None:
            if not curve.visible and not draw_hidden:
                return None
            base = TANGENT if curve.tangent else VISIBLE if curve.visible else HIDDEN
            state, colour = self._states[curve.leaf]
            if state == "highlighted" and colour is not None:
                return replace(base, layer="HIGHLIGHT", colour=colour)
            if state == "ghosted":
                return replace(base, layer="GHOST", width=0.18, colour=GHOST_GREY) if curve.visible else None
            return base

        return strokes(projection, pen)
