"""tests/bench/pairs.py: what pairs of timings can carry, on a machine whose speed moves meanwhile."""
import math
import statistics


def interval(values):
    """Of the median, from the order of the values: (low, high, level), the narrowest at 95 % or more,
    else all of them. The level is that of a sign test: each value is above the median or below it as a
    fair coin falls."""
    values, n, found = sorted(values), len(values), None
    for k in range(1, n // 2 + 1):
        level = 1 - 2 * sum(math.comb(n, i) for i in range(k)) / 2 ** n
        if level < 0.95 and found:
            break
        found = values[k - 1], values[n - k], level
    return found


def ratio(ours, theirs):
    """Of times taken in turn: the median of the pairs' ratios, in words."""
    ratios = [a / b for a, b in zip(ours, theirs)]
    found = interval(ratios)
    text = "%.4f" % statistics.median(ratios)
    return text + (" [%.4f, %.4f] at %.1f %%" % (*found[:2], 100 * found[2]) if found else "")
