"""Words of rulebooks that say what is measured and where, not of what."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DIMENSIONS = (
    r"(?:width|height|length|thickness|diameter|depth|span|radius|size|angle|gauge|distance|gap|clearance|dimension)s?"
)
"""Nouns of what a limit is set to, as a pattern."""
MEASURES = _words(
    """angle angles clearance depth diameter diameters difference dimension dimensions distance distances gap gaps
    height heights length lengths limit measure offset overhang radius reach separation size sizes space spacing
    span thickness thicknesses track value wall walls wheelbase width widths"""
)
"""Nouns that are of something: the width of the seat."""
_PLACES = _words(
    """area axes axis back base bottom center centers centre centres edge edges end ends face faces feet foot front
    fronts half inside middle middles outline outside part parts plane planes point points portion rear region
    section side sides surface surfaces tip tips top underside upside"""
)
_ANYTHING = _words(
    """a all aluminium aluminum an and any anything both car cars composite design each else every everything fit
    following install it its keep material materials metal no none nothing of one or other others provide solid
    something steel that the their them there these they this those three tubing two use vehicle vehicles which"""
)
_ATTRIBUTES = _words(
    """actual allowed also at clear cm external forward free given highest horizontal in included inner internal
    largest least left less lower lowermost lowest m main max maximum min minimum mm more most narrowest nominal
    not only outer outside overall own rearward required respective right same shortest smallest such than
    top-most topmost total upper uppermost vertical widest"""
)
SAYING_NOTHING = MEASURES | _PLACES | _ANYTHING | _ATTRIBUTES
"""Words of a noun phrase that do not say what thing it is."""
OPENING = _words(
    """a all an and any at between both but each either every for four from if in its maximum minimum neither no of
    on one only or other some such that the their these this those three to two when where while with"""
)
"""Words that sentences and titles begin with, large, before a name that is whole without them."""
KINDS = _words(
    """adjacent complete custom double flat front neighboring neighbouring new opposite rear road round single
    standard whole"""
)
"""Words before a name that say which of its kind is meant."""


def content(text: str) -> list[str]:
    """The words of a noun phrase that say what thing it is, in lower case."""
    words = re.findall(r"[^\W\d_][\w’'-]*", re.sub(r"\(s\)|[’']s\b", "", text.lower()))
    return [word for word in words if word not in SAYING_NOTHING]
