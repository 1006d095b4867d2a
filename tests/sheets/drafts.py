"""Sheets in the styles of several trades and countries, drawn on the board with keys by construction."""

from tests.sheets.draft import Board

Label = tuple[float, float, float, float, str, str, str]


def frame(board: Board, margin: float = 10.0, left: float = 20.0) -> None:
    board.box(left, margin, board.width - margin, board.height - margin, 0.7)


def block(board: Board, x: float, y: float, cells: list[Label], label: float = 1.8, value: float = 3.0) -> None:
    """Cells of a title block: x, y, width, height from its lower left; key, label, value, the value below the label."""
    for cx, cy, wide, high, key, name, text in cells:
        board.box(x + cx, y + cy, x + cx + wide, y + cy + high)
        if name:
            board.text(x + cx + 1, y + cy + high - label - 0.8, name, label)
        if text:
            board.text(x + cx + 2, y + cy + 1.2, text, value)
            if key:
                board.key.title[key] = text


def plate(board: Board, x: float, y: float, wide: float, high: float) -> None:
    board.box(x, y, x + wide, y + high, 0.5)
    for cx in (x + 12, x + wide - 12):
        for cy in (y + 12, y + high - 12):
            board.circle(cx, cy, 4)


def german() -> Board:
    """ISO dimensions in millimetres at 1:2, DIN title block, list of parts, notes."""
    b = Board(420, 297)
    frame(b)
    plate(b, 60, 120, 120, 80)
    b.linear((60, 120), (180, 120), -14, "240", 240)
    b.linear((72, 132), (168, 132), -18, "192 ±0,2", 192)
    b.linear((60, 120), (60, 200), 14, "160", 160)
    b.linear((60, 120), (60, 132), 7, "24", 24, place="outside")
    b.leader((71, 135), (90, 150), "4x ⌀16 H7", "diameter", 16)
    b.leader((180, 198), (200, 215), "R5", "radius", 5)
    b.linear((180, 120), (180, 200), -10, "160 -0,1", 160)
    b.box(250, 150, 330, 170, 0.5)
    b.linear((250, 150), (330, 150), -10, "160", 160)
    b.linear((330, 150), (330, 170), -8, "⌀40 h6", 40, kind="diameter")
    b.leader((252, 170), (262, 188), "2x45°", "chamfer", 2)
    b.leader((290, 160), (300, 200), "M12x1,5", "thread", 12)
    b.text(250, 230, "A-A (1:2)", 5)
    b.key.marks.append(("section", "A-A (1:2)"))
    for n, text in enumerate(
        [
            "Alle Kanten gebrochen 0,5 x 45°",
            "Werkstück entgratet, Oberfläche Ra 3,2",
            "Gezeichnet am 12.03.2021, Auftrag 4711",
        ]
    ):
        b.text(40, 60 - 6 * n, f"{n + 1}.", 3)
        b.text(47, 60 - 6 * n, text, 3)
    block(
        b, 230, 10,
        [
            (0, 0, 45, 12, "owner", "Firma", "Muster GmbH"), (0, 12, 45, 9, "drawn_by", "Gezeichnet", "H. Müller"),
            (0, 21, 45, 9, "checked_by", "Geprüft", "K. Weiß"), (0, 30, 45, 9, "date", "Datum", "12.03.2021"),
            (45, 0, 85, 14, "number", "Zeichnungs-Nr.", "4711-0815-03"),
            (45, 14, 85, 16, "name", "Benennung", "Grundplatte"),
            (45, 30, 85, 9, "material", "Werkstoff", "S235JR"), (130, 0, 25, 14, "sheet", "Blatt", "1/2"),
            (155, 0, 25, 14, "revision", "Index", "B"), (130, 14, 25, 16, "scale", "Maßstab", "1:2"),
            (155, 14, 25, 16, "mass", "Gewicht", "4,25 kg"),
            (130, 30, 50, 9, "tolerance", "Allgemeintoleranz", "ISO 2768-mK"),
        ],
    )  # fmt: skip
    # The list of parts stands on the title block and grows upwards from its header.
    rows = [
        ["Pos.", "Menge", "Benennung", "Norm", "Werkstoff"],
        ["1", "1", "Platte", "", "S235JR"],
        ["2", "4", "Schraube M8x25", "ISO 4762", "8.8"],
        ["3", "4", "Scheibe 8,4", "ISO 7089", "St"],
    ]
    b.table(230, 49 + 28, [15, 15, 70, 40, 40], rows[::-1])
    b.key.tables[-1] = rows
    return b


def asme() -> Board:
    """Inch dimensions at full size, texts level and breaking their lines, tolerance block, revision list."""
    b = Board(431.8, 279.4)
    frame(b, 8, 8)
    i = 25.4
    b.box(60, 120, 60 + 5 * i, 120 + 3 * i, 0.5)
    b.circle(60 + i, 120 + i, i / 4)
    b.circle(60 + 4 * i, 120 + i, i / 4)
    b.linear((60, 120), (60 + 5 * i, 120), -22, "5.000", 5, place="level")
    b.linear((60 + i, 120 + i), (60 + 4 * i, 120 + i), -40, "3.000±.005", 3, place="level")
    b.linear((60, 120), (60, 120 + 3 * i), 22, "3.00", 3, place="level")
    b.linear((60, 120), (60, 120 + i), 10, "1.000", 1, place="level", height=3)
    b.leader((60 + i + 4.5, 120 + i + 4.5), (110, 175), "2X ⌀.500 THRU", "diameter", 0.5)
    b.leader((60 + 5 * i, 120 + 3 * i - 1), (215, 200), "R.125", "radius", 0.125)
    b.leader((60 + 4 * i + 4.5, 120 + i + 4.5), (190, 185), "1/4-20 UNC-2B", "thread", 0.25)
    b.linear((60 + 5 * i, 120), (60 + 5 * i, 120 + 3 * i), -14, "(3.00)", 3, place="level")
    for n, text in enumerate(
        [
            "NOTES: UNLESS OTHERWISE SPECIFIED",
            "1. DIMENSIONS ARE IN INCHES.",
            "2. BREAK SHARP EDGES .015 MAX.",
            "3. MATERIAL: 6061-T6 ALUMINUM, 2.50 X 5.50 STOCK.",
        ]
    ):
        b.text(20, 250 - 6 * n, text, 3)
    block(
        b, 253.8, 8,
        [
            (0, 0, 60, 30, "", "TOLERANCES:", ""), (0, 30, 60, 12, "material", "MATERIAL", "6061-T6 ALUMINUM"),
            (60, 0, 20, 12, "size", "SIZE", "B"), (80, 0, 60, 12, "number", "DWG. NO.", "100-2345-01"),
            (140, 0, 30, 12, "revision", "REV", "C"),
            (60, 12, 50, 8, "scale", "SCALE: ", ""), (110, 12, 60, 8, "", "", ""),
            (60, 20, 110, 22, "name", "TITLE", "BRACKET, MOTOR MOUNT"), (0, 42, 60, 9, "drawn_by", "DRAWN", "J. SMITH"),
            (60, 42, 55, 9, "date", "DATE", "2019-04-05"), (115, 42, 55, 9, "checked_by", "CHECKED", "A. JONES"),
        ],
    )  # fmt: skip
    b.text(253.8 + 75, 21.5, "1:1", 3)
    b.key.title["scale"] = "1:1"
    b.text(253.8 + 112, 21.5, "SHEET 1 OF 3", 2.5)
    b.key.title["sheet"] = "1 OF 3"
    b.text(256, 30, ".XX ±.01   .XXX ±.005", 2)
    b.table(
        300,
        270,
        [15, 60, 25, 20],
        [
            ["REV", "DESCRIPTION", "DATE", "APPROVED"],
            ["A", "INITIAL RELEASE", "1/5/2018", "AJ"],
            ["B", "HOLES 2.75 TO 3.000", "2/5/2019", "AJ"],
        ],
        caption="REVISIONS",
    )
    return b


def architectural() -> Board:
    """A plan at 1/4" = 1'-0" with ticks, feet and inches, grid bubbles, room tags, marks and a door schedule."""
    b = Board(610, 457)
    frame(b)
    foot = 25.4 / 4
    x, y = 90.0, 140.0
    wide, high = 40 * foot, 25 * foot
    b.box(x, y, x + wide, y + high, 0.7)
    b.line(x + 12.5 * foot, y, x + 12.5 * foot, y + high, 0.7)
    b.linear((x, y + high), (x + 12.5 * foot, y + high), 18, "12'-6\"", 150, "tick")
    b.linear((x + 12.5 * foot, y + high), (x + wide, y + high), 18, "27'-6\"", 330, "tick")
    b.linear((x, y + high), (x + wide, y + high), 30, "40'-0\"", 480, "tick")
    b.linear((x, y), (x, y + high), 20, "25'-0\"", 300, "tick")
    b.linear((x + 20 * foot, y), (x + 23 * foot + foot / 24 * 13, y), -14, "3'-6 1/2\"", 42.5, "tick")
    for n, letter in enumerate("ABC"):
        b.bubble(x - 50, y + n * high / 2, 6, letter, kind="grid", to=(x + wide, y + n * high / 2))
    for n in range(3):
        b.bubble(x + n * wide / 2, y + high + 60, 6, str(n + 1), kind="grid", to=(x + n * wide / 2, y))
    for cx, name, number in ((x + 6 * foot, "LIVING ROOM", "101"), (x + 26 * foot, "KITCHEN", "102A")):
        b.text(cx, y + 12 * foot, name, 2.5, align="middle")
        b.text(cx, y + 12 * foot - 4.6, number, 2.5, align="middle")
        b.box(cx - 8, y + 12 * foot - 5.6, cx + 8, y + 12 * foot - 1.2, 0.2)
        b.key.marks.append(("room", f"{name} {number}"))
    b.bubble(x + wide + 40, y + 60, 7, "3", "A5.01", kind="detail")
    b.text(x + 20, y + 30, "P-1", 2.2)
    b.text(x + 200, y + 20, '2X6 STUDS @ 16" O.C.', 2.2)
    b.bubble(90, 80, 7, "1", kind="view")
    b.key.marks.pop()
    b.text(100, 83, "FIRST FLOOR PLAN", 4)
    b.key.marks.append(("view", "1 FIRST FLOOR PLAN"))
    b.text(100, 75, '1/4" = 1\'-0"', 2.5)
    b.table(
        390,
        400,
        [20, 45, 45, 60],
        [
            ["MARK", "WIDTH", "HEIGHT", "TYPE"],
            ["101", "3'-0\"", "7'-0\"", "SOLID CORE"],
            ["102", "2'-8\"", "6'-8\"", "HOLLOW METAL"],
            ["103", "6'-0\"", "7'-0\"", "PAIR, GLASS"],
        ],
        caption="DOOR SCHEDULE",
    )
    block(
        b, 440, 10,
        [
            (0, 0, 60, 14, "date", "DATE", "MAY 22, 2020"), (60, 0, 100, 20, "number", "SHEET NUMBER", "A1.01"),
            (0, 14, 60, 12, "drawn_by", "DRAWN BY", "KM"), (0, 26, 160, 16, "name", "SHEET TITLE", "FIRST FLOOR PLAN"),
            (0, 42, 160, 16, "project", "PROJECT", "SMITH RESIDENCE"), (60, 20, 100, 6, "", "", ""),
        ],
        value=4,
    )  # fmt: skip
    return b


def slovene() -> Board:
    """A building section in centimetres with levels, dots on dimension lines and a Slovene title block."""
    b = Board(420, 297)
    frame(b)
    b.box(60, 120, 260, 200, 0.7)
    b.linear((60, 120), (260, 120), -14, "1000", 1000, "tick")
    b.linear((60, 120), (130, 120), -24, "350", 350, "tick")
    b.linear((130, 120), (260, 120), -24, "650", 650, "tick")
    b.linear((60, 120), (60, 200), 14, "400", 400, "tick")
    for level, text in ((120, "±0,00"), (176, "+2,80")):
        b.fill((290, level), (287, level + 4), (293, level + 4))
        b.line(280, level, 310, level)
        b.text(296, level + 1.5, text, 3)
        b.key.marks.append(("level", text))
    block(
        b, 230, 10,
        [
            (0, 0, 60, 10, "date", "Datum", "15.6.2020"), (0, 10, 60, 10, "drawn_by", "Risal", "Janez Novak"),
            (0, 20, 60, 10, "checked_by", "Pregledal", "M. Kovač"), (60, 0, 80, 15, "number", "Št. risbe", "12-345/7"),
            (60, 15, 80, 15, "name", "Naziv", "Prerez A-A stanovanjske hiše"),
            (140, 0, 40, 10, "scale", "Merilo", "1:50"),
            (140, 10, 40, 10, "sheet", "List", "3"), (140, 20, 40, 10, "material", "Gradivo", "beton C25/30"),
            (0, 30, 180, 9, "project", "Projekt", "Stanovanjska hiša Žalec"),
        ],
        value=2.6,
    )  # fmt: skip
    return b


def electrical() -> Board:
    """A wiring diagram full of designators and values, none of which is a dimension, and a list of parts."""
    b = Board(420, 297)
    frame(b)
    for n in range(6):
        x = 60 + 50 * n
        b.line(40, 250, 380, 250)
        b.line(40, 240, 380, 240)
        b.lines((x, 250), (x, 200), (x + 20, 200), (x + 20, 170))
        b.box(x - 5, 180, x + 5, 190)
        b.circle(x + 20, 160, 8)
        b.text(x + 7, 184, ["R1", "C2", "K3", "M4", "F10", "R12"][n], 2.5)
        b.text(x + 7, 178, ["4k7", "100n", "24V", "0,55 kW", "16A", "10"][n], 2.5)
        b.text(x + 18, 158, "M", 3)
        b.text(x - 8, 203, str(n + 1), 2)
        b.text(x + 22, 203, f"{n + 1}.{n}", 2)
        b.fill((x, 200), (x - 0.8, 204), (x + 0.8, 204))
        b.text(x + 2, 225, "3x1,5", 2)
    b.text(36, 252, "L1 230V 50Hz", 2.5)
    b.table(
        40,
        120,
        [25, 60, 60],
        [
            ["Symbol", "Description", "Type"],
            ["K3", "Relay 24 V", "55.34.9"],
            ["F10", "Fuse 16 A", "C16"],
            ["M4", "Motor 0,55 kW", "1LA7080"],
        ],
        caption="Bill of materials",
    )
    block(
        b, 240, 10,
        [
            (0, 0, 60, 12, "date", "Date", "2022-11-03"), (60, 0, 110, 12, "name", "Title", "Control cabinet wiring"),
            (0, 12, 60, 12, "drawn_by", "Drawn by", "P. Ohm"), (60, 12, 60, 12, "number", "Drawing no.", "E-2022-117"),
            (120, 12, 50, 12, "sheet", "Sheet", "2 / 5"),
        ],
    )  # fmt: skip
    return b


def russian() -> Board:
    """A workshop drawing by ESKD: form 1 title block with the number, name and material unlabelled."""
    b = Board(420, 297)
    frame(b, 5)
    plate(b, 80, 150, 150, 90)
    b.linear((80, 150), (230, 150), -14, "150h14", 150)
    b.linear((80, 150), (80, 240), 14, "90*", 90)
    b.leader((95, 165), (120, 190), "4 отв. ⌀8", "diameter", 8)
    b.leader((230, 150), (255, 130), "1,6x45°", "chamfer", 1.6)
    b.text(240, 80, "1. * Размеры для справок.", 3.5)
    b.text(240, 74, "2. Неуказанные предельные отклонения H14, h14.", 3.5)
    x, y = 230.0, 5.0
    for n, name in enumerate(["Утв.", "Н.контр.", "", "Т.контр.", "Пров.", "Разраб."]):
        b.box(x, y + 5 * n, x + 17, y + 5 * n + 5)
        b.box(x + 17, y + 5 * n, x + 40, y + 5 * n + 5)
        b.box(x + 40, y + 5 * n, x + 65, y + 5 * n + 5)
        b.text(x + 1, y + 5 * n + 1.3, name, 2.2)
    b.text(x + 18, y + 26.3, "Иванов", 2.2)
    b.text(x + 18, y + 21.3, "Петров", 2.2)
    b.key.title |= {"drawn_by": "Иванов", "checked_by": "Петров"}
    b.box(x + 65, y, x + 135, y + 15)
    b.text(x + 70, y + 5, "Сталь 45 ГОСТ 1050-2013", 3.5)
    b.box(x + 65, y + 15, x + 135, y + 40)
    b.text(x + 85, y + 24, "Плита", 7)
    b.box(x + 65, y + 40, x + 185, y + 55)
    b.text(x + 80, y + 44, "АБВГ.301314.005", 7)
    for cx, wide, name, text in ((135, 15, "Лит.", ""), (150, 17, "Масса", "1,25"), (167, 18, "Масштаб", "1:1")):
        b.box(x + cx, y + 35, x + cx + wide, y + 40)
        b.text(x + cx + 1, y + 36.3, name, 2.2)
        b.box(x + cx, y + 20, x + cx + wide, y + 35)
        b.text(x + cx + 3, y + 25, text, 3.5)
    b.box(x + 135, y + 15, x + 155, y + 20)
    b.text(x + 136, y + 16.3, "Лист", 2.2)
    b.box(x + 155, y + 15, x + 185, y + 20)
    b.text(x + 156, y + 16.3, "Листов 1", 2.2)
    b.key.title |= {
        "material": "Сталь 45 ГОСТ 1050-2013",
        "name": "Плита",
        "number": "АБВГ.301314.005",
        "mass": "1,25",
        "scale": "1:1",
        "sheets": "1",
    }
    return b


def assembly() -> Board:
    """An assembly with numbered balloons and a list of parts, and nothing dimensioned but its length."""
    b = Board(420, 297)
    frame(b)
    plate(b, 80, 140, 200, 60)
    for n in range(5):
        x = 90 + 40 * n
        b.line(x, 180, x + 10, 224)
        b.arrow(x, 180, 257, "filled")
        b.bubble(x + 11.1, 229, 5, str(n + 1), kind="balloon")
    b.linear((80, 140), (280, 140), -16, "200", 200, "open")
    b.table(
        240,
        130,
        [15, 15, 60, 60],
        [["ITEM", "QTY", "DESCRIPTION", "MATERIAL"], *[[str(n + 1), "2", f"PART {n + 1}", "STEEL"] for n in range(5)]],
    )
    return b


ALL = {board.__name__: board for board in (german, asme, architectural, slovene, electrical, russian, assembly)}
