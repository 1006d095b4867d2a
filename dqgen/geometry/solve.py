"""Where a measured quantity takes a wanted value."""

from collections.abc import Callable

TRIES = 60


def solve(quantity: Callable[[float], float | None], start: float, wanted: float, step: float) -> float | None:
    """An argument at which a quantity is as wanted, to a part in a billion, or None if none is found.

    By the secant method, then by bisection between arguments on either side, so that quantities with kinks do.

    Args:
        quantity: what is measured; None where it cannot be.
        start: argument to begin at.
        wanted: value to be reached.
        step: first step to take.
    """
    close = 1e-9 * max(1.0, abs(wanted))
    first = quantity(start)
    if first is None:
        return None
    if abs(first - wanted) <= close:
        return start
    known = [(start, first - wanted)]
    low = high = None

    def note(argument: float) -> float | None:
        nonlocal low, high
        value = quantity(argument)
        if value is None:
            return None
        known.append((argument, value - wanted))
        below = [item for item in known if item[1] < 0]
        above = [item for item in known if item[1] > 0]
        if below and above:
            low, high = min(((a, b) for a in below for b in above), key=lambda pair: abs(pair[0][0] - pair[1][0]))
        return value - wanted

    nearest = start + step
    for _ in range(TRIES):
        error = note(nearest)
        if error is None:
            nearest = (nearest + known[-1][0]) / 2
            continue
        if abs(error) <= close:
            return nearest
        (a, fa), (b, fb) = known[-2:]
        secant = b - fb * (b - a) / (fb - fa) if fb != fa else None
        if low and high:
            ends = sorted((low[0], high[0]))
            inside = secant is not None and ends[0] < secant < ends[1] and len(known) % 3
            nearest = secant if inside and secant is not None else (ends[0] + ends[1]) / 2
            if nearest in (low[0], high[0]):
                return None
        elif secant is None or abs(secant - start) > 1e3 * max(abs(step), 1e-9):
            step *= -2
            nearest = start + step
        else:
            nearest = secant
    return None
