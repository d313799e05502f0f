#!/usr/bin/env python3
"""Writes the tables of the elementary functions (docs/math chapter 9) to its own folder, or to the folder given as
argument.

Every number is computed to 70 digits from its power series and then rounded to the nearest double, or split into a sum
of doubles of stated lengths; no number is copied from another source.
"""
import os
import sys
from decimal import Decimal, ROUND_HALF_EVEN, getcontext
from fractions import Fraction

getcontext().prec = 420  # pi and 2/pi are needed to 1200 bits; less suffices for the others
SHORT = Decimal(10) ** -75
LONG = Decimal(10) ** -410


def arctan_inverse(n, tiny):
    """atan(1/n)."""
    power = Decimal(1) / n
    total, k = power, 1
    while power > tiny:
        power /= -n * n if k % 2 else n * n
        power = abs(power)
        total += (-power if k % 2 else power) / (2 * k + 1)
        k += 1
    return total


PI = 4 * (4 * arctan_inverse(5, LONG) - arctan_inverse(239, LONG))  # Machin
LN2 = Decimal(2).ln()


def sin_cos(x):
    term, s, c, k = Decimal(1), Decimal(0), Decimal(0), 0
    while abs(term) > SHORT:
        if k % 2:
            s += term if k % 4 == 1 else -term
        else:
            c += term if k % 4 == 0 else -term
        k += 1
        term *= x / k
    return s, c


def arctan(x):
    """Halves the angle until the series converges fast."""
    doublings = 0
    while x > Decimal("0.02"):
        x = x / (1 + (1 + x * x).sqrt())
        doublings += 1
    total, power, k = Decimal(0), x, 0
    while power > SHORT:
        total += (-power if k % 2 else power) / (2 * k + 1)
        power *= x * x
        k += 1
    return total * 2 ** doublings


def double(x):
    """The nearest double; Fraction to float rounds correctly, ties to even."""
    return float(Fraction(x))


def on_grid(x, bits):
    """The nearest multiple of 2^-bits."""
    scaled = (x * 2 ** bits).to_integral_value(rounding=ROUND_HALF_EVEN)
    return double(scaled / 2 ** bits)


def pair(x):
    high = double(x)
    return high, double(x - Decimal(high))


def pieces(x, lengths):
    """x as a sum of doubles with so many bits each, cut rather than rounded; the last one is the nearest double."""
    out = []
    for bits in lengths:
        exponent = 0
        while x * 2 ** exponent < 1:
            exponent += 1
        while x * 2 ** exponent >= 2:
            exponent -= 1
        cut = Decimal(int(x * 2 ** exponent * 2 ** (bits - 1))) / 2 ** (bits - 1) / Decimal(2) ** exponent
        out.append(double(cut))
        x -= Decimal(out[-1])
    return out + [double(x)]


def c_number(x):
    return x.hex() if x else "0.0"


def define(name, value, text):
    return f"#define {name} {c_number(value)} /* {text} */\n"


def rows(name, columns, values):
    out = f"static const double {name}[{len(values)}][{columns}] = {{\n"
    for row in values:
        out += "    {" + ", ".join(map(c_number, row)) + "},\n"
    return out + "};\n"


def exponential():
    """2^(i/128), and ln 2/128 in two pieces: the first has 35 bits, so that its multiples up to 2^18 are exact."""
    steps = 128
    out = define("EXP_STEPS_PER_ONE", double(steps / LN2), "128/ln 2")
    for name, value in zip(("EXP_STEP_HIGH", "EXP_STEP_LOW"), pieces(LN2 / steps, [35])):
        out += define(name, value, "ln 2/128")
    table = [pair((LN2 * i / steps).exp()) for i in range(steps)]
    return out + "/* 2^(i/128) = [0] + [1] */\n" + rows("exp_table", 2, table)


def logarithm():
    """For z in [11/16, 11/8), divided into 128 cells by the leading bits of its binary form: 1/c to 24 bits, c the
    centre of the cell, and log c."""
    out = define("LN2_HIGH", on_grid(LN2, 42), "ln 2, a multiple of 2^-42")
    out += define("LN2_LOW", double(LN2 - Decimal(on_grid(LN2, 42))), "the rest")
    table = []
    for i in range(128):
        low = Decimal(176 + i) / 256 if i < 80 else Decimal(128 + (i - 80)) / 128
        width = Decimal(1) / 256 if i < 80 else Decimal(1) / 128
        if i in (79, 80):  # near 1, log z keeps all its digits only without a table
            table.append((1.0, 0.0, 0.0))
            continue
        inverse = on_grid(1 / (low + width / 2), 23)
        log = -Decimal(inverse).ln()
        high = on_grid(log, 42)
        table.append((inverse, high, double(log - Decimal(high))))
    return out + "/* 1/c, log c = [1] + [2], the first a multiple of 2^-42 */\n" + rows("log_table", 3, table)


def angle():
    out = define("TWO_OVER_PI", double(2 / PI), "2/pi")
    for i, value in enumerate(pieces(PI / 2, [33, 33, 33])):
        out += define(f"HALF_PI_{i + 1}", value,
                      "pi/2 in four pieces; multiples of the first three up to 2^20 are exact")
    return out + define("HALF_PI_REST", pieces(PI / 2, [33])[1], "all that the first piece leaves")


def sine_cosine():
    table = []
    for j in range(102):
        s, c = sin_cos(Decimal(j) / 128)
        table.append(pair(s) + pair(c))
    return "/* sin(j/128) = [0] + [1], cos(j/128) = [2] + [3] */\n" + rows("sin_cos_table", 4, table)


def tangent():
    table = []
    for j in range(102):
        s, c = sin_cos(Decimal(j) / 128)
        table.append(pair(s / c))
    return "/* tan(j/128) = [0] + [1] */\n" + rows("tan_table", 2, table)


def two_over_pi():
    words, x = [], 2 / PI
    for _ in range(40):
        x *= 2 ** 32
        words.append(int(x))
        x -= int(x)
    out = "/* 2/pi after the binary point, 32 bits a word */\nstatic const uint32_t two_over_pi[40] = {\n"
    for i in range(0, 40, 8):
        out += "    " + ", ".join(f"0x{w:08x}" for w in words[i:i + 8]) + ",\n"
    return out + "};\n"


def solve(a, b):
    n = len(b)
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p], b[i], b[p] = a[p], a[i], b[p], b[i]
        for r in range(i + 1, n):
            f = a[r][i] / a[i][i]
            for k in range(i, n):
                a[r][k] -= f * a[i][k]
            b[r] -= f * b[i]
    x = [Decimal(0)] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum(a[i][k] * x[k] for k in range(i + 1, n))) / a[i][i]
    return x


def arcsine_rest(z):
    """(asin(s)/s - 1)/z with s^2 = z, by its power series sum c_k z^(k-1), c_k = (2k)!/(4^k k!^2 (2k+1))."""
    term, total, k = Decimal(1), Decimal(0), 0
    power = Decimal(1)
    while power > SHORT:
        k += 1
        term *= Decimal(2 * k - 1) / (2 * k)
        total += term / (2 * k + 1) * power
        power *= z
    return total


def inverse_trigonometric():
    out = ""
    for name, x in (("HALF_PI", PI / 2), ("PI", PI)):
        high, low = pair(x)
        out += define(name + "_HIGH", high, "in two pieces") + define(name + "_LOW", low, "the rest")
    table = [pair(arctan(Decimal(j) / 128)) if j else (0.0, 0.0) for j in range(129)]
    out += "/* atan(j/128) = [0] + [1] */\n" + rows("atan_table", 2, table)
    # Interpolation of (asin(s)/s - 1)/z at the Chebyshev points of z = s^2 in [0, 1/4]. The error is
    # below 2^-66 of s: (7 + sqrt 48)^-16 from the singularity at z = 1.
    n = 16
    nodes = [(1 - sin_cos(PI / 2 - PI * (2 * i + 1) / (2 * n))[0]) / 8 for i in range(n)]
    powers = [[z ** k if k else Decimal(1) for k in range(n)] for z in nodes]
    coefficients = solve(powers, [arcsine_rest(z) for z in nodes])
    out += "/* asin(s) = s + s z (c0 + c1 z + ...), z = s^2 in [0, 1/4] */\n"
    out += f"static const double asin_rest[{n}] = {{\n"
    out += "".join(f"    {c_number(double(c))},\n" for c in coefficients) + "};\n"
    return out


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, make in (("exponential", exponential), ("logarithm", logarithm), ("angle", angle),
                       ("two_over_pi", two_over_pi), ("sine_cosine", sine_cosine), ("tangent", tangent),
                       ("inverse_trigonometric", inverse_trigonometric)):
        with open(os.path.join(folder, name + ".inc"), "w") as f:
            f.write("/* Written by src/math/tables/make.py. */\n/* clang-format off */\n" + make())


main()
