"""Draws docs/images/frames.svg and orientation.svg: frames.py FOLDER, with the Python package on the path. Rods,
directors, forces and strains are those that withy computes, so the pictures show the signs of its output."""
import sys

import numpy as np

import withy

SECTION = withy.circle(radius=0.05, E=1e6, nu=0.3, density=1000)
COLOURS = {"d1": "#2471a3", "d2": "#1e8449", "d3": "#c0392b", "rod": "#c8a06a", "axis": "#7a5a2a", "P": "#8e44ad",
           "M": "#b9770e", "F": "#000"}
PROJECTION = np.array(((0.0, -0.42, 1.0), (-1.0, 0.36, 0.0)))  # e3 to the right, e1 up, e2 towards you


def turned(q):
    """The directors as the columns of a matrix, from a quaternion with the scalar first."""
    w, x, y, z = q
    return np.array(((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                     (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                     (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))))


class Sheet:
    def __init__(self, width, height):
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                      'font-family="sans-serif" font-size="14">',
                      "<!-- made by docs/images/frames.py from what withy computes -->"]
        for name, colour in COLOURS.items():
            self.lines.append(f'<defs><marker id="{name}" viewBox="0 0 10 10" refX="8" refY="5" '
                              'markerWidth="6" markerHeight="6" orient="auto">'
                              f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker></defs>')
        self.lines.append(f'<rect width="{width}" height="{height}" fill="#fff"/>')

    def set_view(self, origin, scale):
        self.origin, self.scale = np.array(origin, float), scale

    def at(self, x):
        return self.origin + self.scale * (PROJECTION @ np.asarray(x, float))

    def path(self, points, colour, width, more=""):
        text = "L".join(f"{a:.1f} {b:.1f}" for a, b in map(self.at, points))
        self.lines.append(f'<path d="M{text}" fill="none" stroke="{colour}" stroke-width="{width}" {more}/>')

    def arrow(self, start, along, name, label=None, shift=(4, -4), double=False):
        start, along = np.asarray(start, float), np.asarray(along, float)
        self.path((start, start + along), COLOURS[name], 2, f'marker-end="url(#{name})"')
        if double:  # a turn: a second head
            self.path((start, start + 0.85 * along), COLOURS[name], 2, f'marker-end="url(#{name})"')
        if label:
            self.text(start + along, label, COLOURS[name], shift)

    def text(self, x, words, colour="#000", shift=(0, 0)):
        a, b = self.at(x) + shift
        self.note(a, b, words, colour)

    def note(self, a, b, words, colour="#000", size=14):
        self.lines.append(f'<text x="{a:.1f}" y="{b:.1f}" fill="{colour}" font-size="{size}">{words}</text>')

    def rod(self, x, frames, thick, opacity=1.0):
        self.path(x, COLOURS["rod"], thick, f'stroke-opacity="{opacity}"')
        self.path(x, COLOURS["axis"], 1)
        for k in (0, len(x) - 1):
            self.ring(x[k], frames[k], thick / self.scale / 2)

    def ring(self, x, frame, radius):
        turn = np.linspace(0, 2 * np.pi, 25)
        self.path([x + radius * (np.cos(a) * frame[:, 0] + np.sin(a) * frame[:, 1]) for a in turn], COLOURS["axis"], 1)

    def end(self):
        return "\n".join([*self.lines, "</svg>", ""])


def bent():
    """A cantilever pulled along e1 and e3: P1, P3, M2 and kappa2 are positive."""
    rod = withy.Rod(length=1, elements=40, section=SECTION, last_end=withy.loaded(force=(3.2, 0, 2.0)))
    rest = rod.solve()
    assert rest.curvature[0][1] > 0 and rest.moment[0][1] > 0
    assert np.all(rest.force[:, 2] > 0) and rest.space_force[-1][0] > 0
    return rest


def strained(which, amount):
    """The shape of a rod with one strain that differs from the straight rod's by `amount`."""
    strain = np.array((0, 0, 0, 0, 0, 1.0))
    strain[which] += amount
    reference = withy.shapes.constant(strain=tuple(strain))
    motion = withy.Rod(length=1, elements=20, section=SECTION, reference=reference).motion(step=1e-3)
    return motion.position.copy(), [turned(q) for q in motion.orientation]


def upper(sheet):
    rest = bent()
    x, frames = rest.position, [turned(q) for q in rest.orientation]
    cut, at, apart = 26, 11, 0.3 * turned(rest.orientation[26])[:, 2]
    sheet.set_view((60, 225), 80)
    for k, shift in enumerate(((4, -2), (-12, 18), (2, 16))):
        sheet.arrow((0, 0, 0), np.eye(3)[k], "F", f"e{k + 1}", shift)
    sheet.note(20, 306, "space: right-handed; e2 comes towards you")
    sheet.set_view((215, 225), 330)
    for k in range(5):  # the clamp
        sheet.path(((0.075 - 0.04 * k, 0, 0), (0.045 - 0.04 * k, 0, -0.04)), "#000", 1)
    sheet.path(((0.09, 0, 0), (-0.11, 0, 0)), "#000", 3)
    sheet.rod(x[:cut + 1], frames[:cut + 1], 22)
    sheet.rod(x[cut:] + apart, frames[cut:], 22, 0.45)
    sheet.text((0, 0, 0), "first end, s = 0", shift=(-20, 54))
    sheet.text(x[-1] + apart, "last end, s = L", shift=(-26, 34))
    sheet.ring(x[at], frames[at], 11 / 330)
    for k, shift in enumerate(((-18, -4), (-20, 12), (-10, -10))):
        sheet.arrow(x[at], 0.22 * frames[at][:, k], f"d{k + 1}", f"d{k + 1}", shift)
    force, moment = rest.space_force[cut], rest.space_moment[cut]
    sheet.arrow(x[cut], 0.16 * force / np.linalg.norm(force), "P", "P", (-16, -2))
    sheet.arrow(x[cut], 0.2 * moment / np.linalg.norm(moment), "M", "M", (-4, 18), double=True)
    tip = x[-1] + apart
    push = np.array((3.2, 0, 2.0))
    sheet.arrow(tip, 0.3 * push / np.linalg.norm(push), "F", "push: force in space", (-60, -8))
    sheet.note(20, 332, "P and M inside the rod: what the part with larger s does to the part with smaller s.")
    sheet.note(20, 352, "Here P3 &gt; 0 (tension), M2 &gt; 0 and kappa2 &gt; 0.")


def lower(sheet):
    icons = (("kappa1 &gt; 0", "d3 turns to -d2", 0, 1.2), ("kappa2 &gt; 0", "d3 turns to d1", 1, 1.2),
             ("kappa3 &gt; 0", "d1 turns to d2", 2, 2.2), ("nu1 &gt; 0", "shear along d1", 3, 0.45),
             ("nu2 &gt; 0", "shear along d2", 4, 0.45), ("nu3 &gt; 1", "longer", 5, 0.3))
    for k, (name, words, which, amount) in enumerate(icons):
        left, top = 40 + 255 * (k % 3), 475 + 145 * (k // 3)
        x, frames = strained(which, amount)
        sheet.set_view((left, top), 115)
        sheet.path(((0, 0, 0), (0, 0, 1)), "#aaa", 1, 'stroke-dasharray="4 3"')
        sheet.rod(x, frames, 9)
        for j in (0, 10, 20):
            sheet.arrow(x[j], 0.3 * frames[j][:, 0], "d1")
            sheet.arrow(x[j], 0.3 * frames[j][:, 1], "d2")
        sheet.note(left - 10, top + 48, f"{name}: {words}", size=13)


def draw():
    sheet = Sheet(780, 690)
    upper(sheet)
    sheet.note(20, 388, "strains, in the section's frame (<tspan fill='#2471a3'>d1</tspan>, "
               "<tspan fill='#1e8449'>d2</tspan>), from the straight rod (dashed):")
    lower(sheet)
    return sheet.end()


def strip(sheet, origin, width, height):
    """A strip, clamped at s = 0, under the force on its tip that bends it: the edges of its real section."""
    section = withy.rectangle(width=width, height=height, E=1e9, nu=0.3, density=1000)
    sheet.set_view(origin, 190)
    sheet.path(((0, 0, 0), (0, 0, 1)), "#aaa", 1, 'stroke-dasharray="4 3"')
    for k, force in enumerate(((600, 0, 0), (0, 600, 0))):
        rest = withy.Rod(length=1, elements=20, section=section, last_end=withy.loaded(force=force)).solve()
        x, frames = rest.position, [turned(q) for q in rest.orientation]
        if abs(x[-1][k]) < 0.1:  # stiff this way: nothing to see
            continue
        for j in range(0, len(x), 5):
            a, b = 0.5 * width * frames[j][:, 0], 0.5 * height * frames[j][:, 1]
            sheet.path((x[j] + a + b, x[j] + a - b, x[j] - a - b, x[j] - a + b, x[j] + a + b), COLOURS["axis"], 1)
        for one in (1, -1):
            for two in (1, -1):
                edge = [y + 0.5 * one * width * f[:, 0] + 0.5 * two * height * f[:, 1] for y, f in zip(x, frames)]
                sheet.path(edge, COLOURS["rod"], 2)
        sheet.arrow(x[-1], np.array(force) / 2000, "F", f"force along e{k + 1}", (6, 6))
    sheet.arrow((0, 0, 0), (0.3, 0, 0), "d1", "d1", (-16, 0))
    sheet.arrow((0, 0, 0), (0, 0.3, 0), "d2", "d2", (-4, 14))


def coil(sheet, origin, upright):
    """Three turns of a helix from the origin, with its axis and the directors of its first section."""
    radius, rise = 0.16, 0.2 / (2 * np.pi)
    angle = np.arctan2(radius, rise) if upright else 0.0
    rod = withy.Rod(length=6 * np.pi * np.hypot(radius, rise), elements=120, section=SECTION,
                    reference=withy.helix(radius=radius, pitch=0.2),
                    first_end=withy.clamped(orientation=(np.cos(angle / 2), np.sin(angle / 2), 0, 0)))
    rest = rod.solve()
    first = turned(rest.orientation[0])
    axis = first @ (0, radius, rise) / np.hypot(radius, rise)
    sheet.set_view(origin, 260)
    centre = first[:, 0] * radius
    sheet.path((centre - 0.1 * axis, centre + 0.75 * axis), "#aaa", 1, 'stroke-dasharray="4 3"')
    sheet.text(first[:, 0] * radius + 0.75 * axis, "axis", "#777", (4, 4))
    sheet.path(rest.position, COLOURS["rod"], 6)
    sheet.path(rest.position, COLOURS["axis"], 1)
    for k, shift in enumerate(((-14, 0), (-6, 14), (4, -4))):
        sheet.arrow((0, 0, 0), 0.16 * first[:, k], f"d{k + 1}", f"d{k + 1}", shift)


def draw_orientation():
    sheet = Sheet(840, 570)
    for x, y in ((30, 70), (30, 350)):
        sheet.set_view((x, y), 40)
        for k, shift in enumerate(((4, -2), (-12, 16), (2, 14))):
            sheet.arrow((0, 0, 0), np.eye(3)[k], "F", f"e{k + 1}", shift)
    strip(sheet, (140, 160), 0.03, 0.24)
    strip(sheet, (510, 110), 0.24, 0.03)
    sheet.note(95, 260, "width 0.03, height 0.24: bends towards e1")
    sheet.note(465, 260, "width 0.24, height 0.03: bends towards e2")
    coil(sheet, (250, 390), False)
    coil(sheet, (490, 450), True)
    sheet.note(95, 540, "helix from the default clamp: d3 is along e3")
    sheet.note(465, 540, "the clamp turned about e1: the axis is along e3")
    return sheet.end()


if __name__ == "__main__":
    for name, text in ("frames.svg", draw()), ("orientation.svg", draw_orientation()):
        with open(f"{sys.argv[1]}/{name}", "w") as f:
            f.write(text)
