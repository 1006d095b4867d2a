"""Labels of dimensions, numbered as they are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dqgen.renderers.drawing.dimension import Kind, Label
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.tolerance import Tolerance, in_mm, toleranced
from dqgen.schemas.design import Floats


@dataclass
class Labels:
    """Makes labels whose ids are unique on a sheet.

    Attributes:
        numbers: how values are printed.
        edits: texts to print instead of the measured ones, by the dimension's id.
        tolerances: of measures, by their expression, in the printed unit.
    """

    numbers: Numbers
    edits: Mapping[str, str] = field(default_factory=dict)
    tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    _count: int = 0

    def make(
        self,
        kind: Kind,
        value: float,
        lines: tuple[str, ...],
        expression: str,
        points: tuple[Floats, ...] = (),
        printed: str = "",
        count: int = 1,
        exact: bool = True,
    ) -> Label:
        """A label with the next number."""
        self._count += 1
        unit = "deg" if kind == "angular" else self.numbers.unit
        where = tuple((float(x), float(y), float(z)) for x, y, z in points)
        name = f"d{self._count}"
        edited = name in self.edits
        if edited:
            lines, printed = (self.edits[name],), self.edits[name]
        label = Label(name, kind, value, unit, lines, expression, where, printed or lines[0], count, exact, edited)
        tolerance = self.tolerances.get(expression)
        if tolerance is None or edited:
            return label
        return toleranced(label, in_mm(tolerance, unit, self.numbers), self.numbers)
