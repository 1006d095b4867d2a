"""What the readers of markup write on: lines and tables, one after the other."""

from dqgen.rulebook.grid import Grid
from dqgen.rulebook.lines import Line, Role, clean

# Kinds of blocks that explain and do not rule.
NOTES = (
    "note",
    "tip",
    "hint",
    "warning",
    "caution",
    "important",
    "attention",
    "admonition",
    "seealso",
    "danger",
)


class Sheet:
    """Collects lines and tables while a reader walks through the text."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.grids: list[Grid] = []
        self.page = 0
        self._blank = True

    def blank(self) -> None:
        self._blank = True

    def add(
        self, text: str, indent: int = 0, heading: int = 0, bold: bool = False, lead_bold: bool = False,
        role: Role = "body",
    ) -> None:  # fmt: skip
        text = clean(text)
        if not text:
            self.blank()
            return
        y = float(len(self.lines))
        box = (6.0 * indent, y, 6.0 * (indent + len(text)), y + 1)
        line = Line(text, self.page, box, 10.0, bold or bool(heading), bold or bool(heading) or lead_bold)
        line.lead = 2.0 if self._blank or heading else 1.0
        line.cells = [(box[0], box[2], text)]
        line.heading, line.role = heading, role
        self.lines.append(line)
        self._blank = bool(heading)

    def table(self, rows: list[list[str]], header: bool, role: Role = "body") -> None:
        rows = [[clean(cell) for cell in row] for row in rows if any(cell.strip() for cell in row)]
        width = max((len(row) for row in rows), default=0)
        if width < 2 or len(rows) < 2 or role == "note":
            for row in rows:
                self.blank()
                self.add(" ".join(filter(None, row)), role=role)
            return
        rows = [row + [""] * (width - len(row)) for row in rows]
        if not header:
            rows.insert(0, [""] * width)
        y = float(len(self.lines))
        grid = Grid([], rows[0], rows[1:], self.page, (0.0, y, 6.0 * width, y + len(rows)))
        self.blank()
        for row in rows:
            if any(row):
                self.add(" ".join(filter(None, row)))
                self.lines[-1].table, self.lines[-1].role = len(self.grids), "table"
                grid.lines.append(len(self.lines) - 1)
        self.grids.append(grid)
        self.blank()
