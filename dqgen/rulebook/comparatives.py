"""Comparing words: which say that a thing is more than a value, and which that it is less."""

MORE = (
    r"(?:more|greater|larger|higher|longer|wider|broader|taller|thicker|further|farther|bigger|heavier|older|faster|"
    r"later|steeper|deeper|louder|stronger|stiffer|hotter|warmer|brighter|harder|rougher)"
)
LESS = (
    r"(?:less|lower|smaller|shorter|narrower|thinner|fewer|lighter|closer|nearer|slower|younger|quieter|earlier|"
    r"colder|cooler|shallower|flatter|weaker|softer|dimmer|smoother)"
)
# As in "may be as thin as 2 mm" and "may be as long as 2 m".
AS_LITTLE = r"(?:little|few|low|small|short|narrow|thin|light|close|near|slow|cold|shallow)"
AS_MUCH = r"(?:much|many|high|large|long|wide|tall|thick|far|big|heavy|fast|steep|deep|loud|hot|warm)"
