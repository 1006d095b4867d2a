"""The figures of the rulebook: the car's frame and outline in side view, drawn from the sample car's layout."""

from collections.abc import Callable, Sequence
from typing import Any

from reportlab.lib.colors import HexColor, white
from reportlab.platypus import Flowable

from samples.formula.layout import Layout, layout
from samples.formula.parameters import Parameters

_LINE, _GREY, _FAINT = HexColor("#1d2b3a"), HexColor("#8a949e"), HexColor("#dfe4e8")
_ACCENT = HexColor("#b3261e")
_ARROW = 4.0

Place = tuple[float, float]  # along the car and above the ground, mm


class Figure(Flowable):  # type: ignore[misc]  # the library has no types
    """A side view with the nose to the left. Lengths are given in millimetres of the car."""

    def __init__(self, draw: Callable[["Figure"], None], width: float, span: tuple[Place, Place], font: str) -> None:
        super().__init__()
        (self._left, self._bottom), (right, top) = span
        self._scale = width / (right - self._left)
        self._draw, self._font = draw, font
        self.width, self.height = width, (top - self._bottom) * self._scale

    def wrap(self, *_: float) -> tuple[float, float]:
        """The size on the page in points."""
        return self.width, self.height

    def draw(self) -> None:
        """Called by the page layout."""
        self.pen: Any = self.canv
        self.pen.setLineCap(1)
        self.pen.setLineJoin(1)
        self._draw(self)

    def at(self, place: Place) -> Place:
        """A place of the car on the page."""
        return (place[0] - self._left) * self._scale, (place[1] - self._bottom) * self._scale

    def line(self, *places: Place, width: float = 1.0, colour: Any = _LINE) -> None:
        """A polyline; its width is in points."""
        self.pen.setStrokeColor(colour)
        self.pen.setLineWidth(width)
        path = self.pen.beginPath()
        path.moveTo(*self.at(places[0]))
        for place in places[1:]:
            path.lineTo(*self.at(place))
        self.pen.drawPath(path)

    def shape(self, places: Sequence[Place], fill: Any = _FAINT) -> None:
        """A filled outline."""
        path = self.pen.beginPath()
        path.moveTo(*self.at(places[0]))
        for place in places[1:]:
            path.lineTo(*self.at(place))
        path.close()
        self.pen.setFillColor(fill)
        self.pen.setStrokeColor(_LINE)
        self.pen.setLineWidth(0.6)
        self.pen.drawPath(path, fill=1)

    def circle(self, centre: Place, radius: float, fill: Any) -> None:
        """A filled circle."""
        self.pen.setFillColor(fill)
        self.pen.setStrokeColor(_LINE)
        self.pen.setLineWidth(0.8)
        self.pen.circle(*self.at(centre), radius * self._scale, fill=1)

    def label(self, place: Place, text: str, align: str = "centre", colour: Any = _ACCENT) -> None:
        """A short text with its middle or an end at a place."""
        x, y = self.at(place)
        self.pen.setFont(self._font, 7)
        width = self.pen.stringWidth(text, self._font, 7)
        start = x - {"centre": width / 2, "left": 0.0, "right": width}[align]
        self.pen.setFillColor(white)
        self.pen.rect(start - 1, y - 4, width + 2, 8, fill=1, stroke=0)
        self.pen.setFillColor(colour)
        write = {"centre": self.pen.drawCentredString, "left": self.pen.drawString, "right": self.pen.drawRightString}
        write[align](x, y - 2.4, text)

    def dimension(
        self, a: Place, b: Place, text: str, away: Place = (0, 0), beside: str = "right", share: float = 0.5
    ) -> None:
        """A level or an upright dimension line between two places, moved off by `away`, with lines to both places.

        The text of an upright one stands beside it, at a share of its length. That of a level one stands above its
        middle, or reaches leftwards from its right end.
        """
        level = away[0] == 0 and away[1] != 0
        line = (a[1] if level else a[0]) + (away[1] if level else away[0])
        ends = [(place[0], line) if level else (line, place[1]) for place in (a, b)]
        for place, end in zip((a, b), ends, strict=True):
            if place != end:
                self.line(place, end, width=0.35, colour=_ACCENT)
        self.line(*ends, width=0.6, colour=_ACCENT)
        (x0, y0), (x1, y1) = (self.at(end) for end in ends)
        for x, y, sign in ((x0, y0, 1), (x1, y1, -1)):
            turn = sign * (1 if (x1 - x0 if level else y1 - y0) > 0 else -1)
            self._arrow(x, y, turn, level)
        middle = tuple(start + share * (end - start) for start, end in zip(*ends, strict=True))
        gap = 6 / self._scale
        if level:
            above = (max(ends)[0] if beside == "left" else middle[0], middle[1] + gap)
            self.label(above, text, "right" if beside == "left" else "centre")
        else:
            self.label((middle[0] + (gap if beside == "right" else -gap), middle[1]), text, _ALIGN[beside])

    def arc(self, centre: Place, radius: float, start: float, end: float) -> None:
        """Part of a circle between two directions in degrees."""
        (x, y), r = self.at(centre), radius * self._scale
        self.pen.setStrokeColor(_ACCENT)
        self.pen.setLineWidth(0.6)
        self.pen.arc(x - r, y - r, x + r, y + r, start, end - start)

    def _arrow(self, x: float, y: float, turn: int, level: bool) -> None:
        path = self.pen.beginPath()
        path.moveTo(x, y)
        for side in (-1.3, 1.3):
            path.lineTo(*((x + turn * _ARROW, y + side) if level else (x + side, y + turn * _ARROW)))
        path.close()
        self.pen.setFillColor(_ACCENT)
        self.pen.drawPath(path, fill=1, stroke=0)


_ALIGN = {"right": "left", "left": "right"}


def _side(point: Any) -> Place:
    return point.y, point.z


def frame_figure(width: float, font: str) -> Figure:
    """The frame's tubes with limits of the section on the frame."""
    p = Parameters()
    return Figure(lambda f: _frame(f, p, layout(p)), width, ((-760, -190), (2150, 1270)), font)


def car_figure(width: float, font: str) -> Figure:
    """The car's outline with limits of its dimensions and wings."""
    p = Parameters()
    return Figure(lambda f: _car(f, p, layout(p)), width, ((-1120, -460), (2900, 1290)), font)


def _tubes(f: Figure, at: Layout, colour: Any = _LINE) -> None:
    n = at.frame
    main, front = n.main_hoop, n.front_hoop
    pairs = [
        (n.bulkhead_low, n.bulkhead_high),
        (n.bulkhead_low, front.low),
        (n.bulkhead_high, n.vertical_high),
        (n.bulkhead_low, n.vertical_high),
        (n.vertical_low, n.vertical_high),
        (n.vertical_high, front.knee),
        (n.vertical_high, front.low),
        (front.knee, main.knee),
        (front.low, main.low),
        (front.knee, main.low),
        (front.at(Parameters().front_hoop_height - 150), main.knee),
        (main.low, n.rear_low),
        (main.knee, n.rear_high),
        (main.low, n.rear_high),
        (n.rear_low, n.rear_high),
        (n.rear_low, n.tail_low),
        (n.rear_high, n.tail_high),
        (n.tail_low, n.tail_high),
        (n.main_hoop_brace, n.brace_foot),
        (n.front_hoop_brace, n.bulkhead_high),
    ]
    for a, b in pairs:
        f.line(_side(a), _side(b), width=1.6, colour=colour)
    for hoop in (main, front):
        f.line(_side(hoop.low), (hoop.low.y, hoop.axis()[2].z), width=2.6, colour=colour)


def _ground(f: Figure, start: float, end: float) -> None:
    f.line((start, 0), (end, 0), width=0.8, colour=_GREY)


def _frame(f: Figure, p: Parameters, at: Layout) -> None:
    n = at.frame
    _ground(f, -700, 2000)
    _tubes(f, at)
    main, front, waist = p.main_hoop_position, p.front_hoop_position, n.main_hoop.knee.z
    f.dimension((main, 0), (main, p.main_hoop_height), "1120 mm to 1240 mm", (1010, 0), "left")
    f.dimension((main, n.main_hoop_brace.z), (main, p.main_hoop_height), "no more than 150 mm", (180, 0))
    f.dimension((front, p.front_hoop_height), (main, p.front_hoop_height), "at most 900 mm", (0, 190))
    f.dimension((front, p.front_hoop_height), (front, 0), "600 mm to 750 mm", (-940, 0), share=0.1)
    f.dimension((main, at.floor), (main, waist), "240 mm to 320 mm", (-140, 0), "left")
    f.dimension((0, 0), (-p.bulkhead_position, 0), "no more than 600 mm", (0, -110))
    brace = n.main_hoop_brace
    f.arc((brace.y, brace.z), 330, -90, -90 + p.main_hoop_brace_angle)
    f.label((main + 70, 690), "32° to 50°", "left")
    for place, text in (
        ((main - 35, 1080), "Main Hoop"),
        ((front - 35, 560), "Front Hoop"),
    ):
        f.label(place, text, "right", _LINE)
    f.label((-720, 510), "Front Bulkhead", "left", _LINE)
    f.label((1330, 850), "Main Hoop Brace", "left", _LINE)


def _car(f: Figure, p: Parameters, at: Layout) -> None:
    front_tip = -(p.tyre_diameter / 2 + p.front_wing_overhang)
    rear_tip = p.wheelbase + p.tyre_diameter / 2 + p.rear_wing_overhang
    _ground(f, -950, 2150)
    _tubes(f, at, _GREY)
    f.shape(
        [(front_tip, 50), (-403, 50), (-343, 110), (-343, 234), (-453, 234), (front_tip + 60, 160), (front_tip, 120)]
    )
    rear_wing = [(1382, 854), (rear_tip - 90, 854), (rear_tip, 974), (rear_tip, p.rear_wing_height)]
    f.shape([*rear_wing, (rear_tip - 260, p.rear_wing_height), (1382, 1024)])
    f.shape([(420, p.ground_clearance), (1240, p.ground_clearance), (1240, 160), (1080, 100), (540, 100), (420, 60)])
    f.shape([(-p.bulkhead_position - 17, 190), (-777, 217), (-777, 323), (-p.bulkhead_position - 17, 350)])
    for y in (0.0, p.wheelbase):
        f.circle((y, p.tyre_diameter / 2), p.tyre_diameter / 2, _GREY)
        f.circle((y, p.tyre_diameter / 2), p.rim_diameter / 2, _FAINT)
    radius = p.tyre_diameter / 2
    f.dimension((0, radius), (p.wheelbase, radius), "at least 1500 mm", (0, -radius - 200))
    f.dimension((front_tip, 50), (rear_tip, 854), "no more than 3000 mm", (0, -430))
    f.dimension((front_tip, 120), (-radius, radius), "no more than 650 mm", (0, 500))
    f.dimension((p.wheelbase + radius, radius), (rear_tip, 1100), "no more than 250 mm", (0, 400), "left")
    f.dimension((rear_tip, 0), (rear_tip, p.rear_wing_height), "no more than 1200 mm", (160, 0))
    f.dimension(
        (p.main_hoop_position, p.main_hoop_height),
        (p.main_hoop_position, 0),
        "no more than 1250 mm",
        (-420, 0),
        "left",
        0.2,
    )
    f.label((-860, 80), "Front Wing", "right", _LINE)
    f.label((1690, 1240), "Rear Wing", "centre", _LINE)
    f.label((830, -50), "Side Floor", "centre", _LINE)
