"""`withy modes`: frequencies against closed forms, with errors that are true, of every kind of scenario."""
import math
import os

import h5py
import numpy as np

from check import SOURCE, decoded, main, withy

STEEL = "E: 200e9, nu: 0.3, density: 7800"


def modes(folder, text, *more):
    path = folder + "/m.yaml"
    with open(path, "w") as f:
        f.write(text)
    code, out, err = withy("modes", path, *more)
    assert code == 0, err
    rows = [line.split() for line in out.splitlines() if line.split()[0].isdigit()]
    value = np.array([float(r[1]) for r in rows])
    frequency = np.sqrt(np.abs(value)) / (2 * math.pi)
    return frequency, np.array([float(r[4]) for r in rows]), np.array([float(r[5]) if r[5] != "-" else math.nan
        for r in rows]), out


def exponential(A):
    """exp A in extended precision, by scaling and squaring."""
    A = np.array(A, dtype=np.longdouble)
    n = max(0, int(math.ceil(math.log2(float(np.abs(A).sum(1).max()) + 1e-30))) + 6)
    A = A / np.longdouble(2) ** n
    X = T = np.eye(len(A), dtype=np.longdouble)
    for k in range(1, 22):
        T = T @ A / k
        X = X + T
    for _ in range(n):
        X = X @ X
    return X


def timoshenko(EI, GA, rhoA, rhoI, L, count):
    """Frequencies of a cantilever: u' = V/GA + phi, phi' = M/EI, M' = -V - rhoI w^2 phi, V' = -rhoA w^2 u."""
    ga, ri = np.longdouble(GA * L * L / EI), np.longdouble(rhoI / (rhoA * L * L))

    def free_end(w):
        S = exponential([[0, 1, 0, 1 / ga], [0, 0, 1, 0], [0, -ri * w * w, 0, -1], [-w * w, 0, 0, 0]])
        return S[2, 2] * S[3, 3] - S[2, 3] * S[3, 2]

    found, w, step = [], np.longdouble(0.5), np.longdouble(0.5)
    d = free_end(w)
    while len(found) < count:
        next_d = free_end(w + step)
        if d * next_d < 0:
            a, b, da = w, w + step, d
            for _ in range(66):
                m = (a + b) / 2
                dm = free_end(m)
                if da * dm <= 0:
                    b = m
                else:
                    a, da = m, dm
            found.append(float(a * np.sqrt(np.longdouble(EI / (rhoA * L**4))) / (2 * np.longdouble(math.pi))))
        w, d = w + step, next_d
    return found


def steel_cantilever(folder):
    frequency, error, _, _ = modes(folder, f"kind: static\nlength: 1\nelements: 64\nlast_end: free\nsection: {{name: "
                                   f"rectangle, width: 0.03, height: 0.02, {STEEL}}}\n", "-n", "6")
    E, G, b, h, k = 200e9, 200e9 / 2.6, 0.03, 0.02, 10 * 1.3 / (12 + 11 * 0.3)
    exact = sorted(f for w, t in ((b, h), (h, b)) for f in timoshenko(E * w * t**3 / 12, k * G * b * h, 7800 * b * h,
        7800 * w * t**3 / 12, 1.0, 3))
    off = np.abs(frequency - exact) / exact
    assert off.max() < 1e-8 and np.all(off < 3 * error) and error.max() < 3e-8, (off, error)


def thick_beam_torsion_axial_damping(folder):
    """Bending, torsion and extension of a bar five radii long; V = tau K and a mass damping: ratio tau w/2 +
    alpha/2w."""
    text = (f"kind: static\nlength: 0.2\nelements: 64\nlast_end: free\nsection: {{name: circle, radius: 0.04, "
            f"{STEEL}}}\ndamping: {{name: proportional, time: 1e-6}}\nmass_damping: 3\n")
    frequency, error, ratio, _ = modes(folder, text, "-n", "9")
    E, G, r, L = 200e9, 200e9 / 2.6, 0.04, 0.2
    A, I = math.pi * r * r, math.pi * r**4 / 4
    bending = timoshenko(E * I, 6 * 1.3 / (7 + 6 * 0.3) * G * A, 7800 * A, 7800 * I, L, 3)
    twist = [(2 * n - 1) / 4 / L * math.sqrt(G / 7800) for n in (1, 2)]
    stretch = math.sqrt(E / 7800) / 4 / L
    exact = np.array(sorted(2 * bending + twist + [stretch]))
    off = np.abs(frequency - exact) / exact
    assert off.max() < 1e-9 and np.all(off < 3 * error + 1e-13), (off, error)
    w = 2 * math.pi * exact
    np.testing.assert_allclose(ratio, 0.5 * 1e-6 * w + 1.5 / w, rtol=2e-5)


def drag(folder):
    """A drag of c N s/m^2 damps all bending of a thin rod alike: c/rhoA."""
    text = (f"kind: dynamic\nlength: 1\nelements: 10\nlast_end: free\nsection: {{name: circle, radius: 0.002, "
            f"{STEEL}}}\nduration: 1\nstep: 0.1\nloads: [{{name: drag, linear: 0.05}}]\n")
    frequency, _, ratio, out = modes(folder, text, "-n", "2")
    rhoA = 7800 * math.pi * 0.002**2
    np.testing.assert_allclose(ratio, 0.05 / rhoA / (4 * math.pi * frequency), rtol=1e-4)


def in_water(folder):
    """Water that moves along adds C_a rho pi/4 d^2 across the rod: bending is slower by the root of the masses,
    stretching and twisting are not; so is the answer to shaking."""
    r, L = 0.00005, 1.0  # thin, so that shear and rotary inertia do not matter
    A, I = math.pi * r * r, math.pi * r**4 / 4
    EI, rhoA = 200e9 * I, 7800 * A
    base = f"kind: static\nlength: {L}\nelements: 20\nlast_end: free\nsection: {{name: circle, radius: {r}, {STEEL}}}\n"
    for C_a, wet in ((1.0, 2 * r), (0.7, 0.0003)):
        water = f"loads: [{{name: fluid, density: 1025, added_mass: {C_a}, diameter: {wet}}}]\n"
        heavier = rhoA + C_a * 1025 * math.pi / 4 * wet**2
        frequency, _, _, _ = modes(folder, base + water, "-n", "6")
        np.testing.assert_allclose(np.sort(frequency)[::2], euler(EI, heavier, [L], [(0, 0)], [2, 3], [2, 3], 3),
                                   rtol=1e-6)
    # a short thick rod: the first torsional and axial modes are where they are in air
    thick = (f"kind: static\nlength: 0.1\nelements: 24\nlast_end: free\nsection: {{name: circle, radius: 0.02, "
             f"{STEEL}}}\n")
    wet, _, _, _ = modes(folder, thick + "loads: [{name: fluid, density: 1025, added_mass: 1}]\n", "-n", "8")
    for speed in (math.sqrt(200e9 / 7800), math.sqrt(200e9 / 2.6 / 7800)):
        assert np.abs(wet / (speed / 0.4) - 1).min() < 1e-7, (wet, speed / 0.4)


def partly_in_water(folder):
    """A thin pile stands in the sea: only what is below the surface and above the bed has added mass; frequencies of
    spans with two masses, and motion with them."""
    r, L, wet = 0.00005, 1.0, 0.0004
    EI, rhoA = 200e9 * math.pi * r**4 / 4, 7800 * math.pi * r * r
    heavier = rhoA + 0.9 * 1025 * math.pi / 4 * wet**2
    rod = f"length: {L}\nlast_end: free\nsection: {{name: circle, radius: {r}, {STEEL}}}\n"
    water = "loads: [{name: sea, density: 1025, added_mass: 0.9, diameter: %g, up: [0, 0, 1], surface: %g%s}]\n"
    cases = [(0.37, "", [0.37, 0.63], [heavier, rhoA]), (0.83, "", [0.83, 0.17], [heavier, rhoA]),
             (-1, "", [1.0], [rhoA]), (3, "", [1.0], [heavier]),
             (2.0, ", depth: 1.4", [0.6 - 1.5 * wet, 0.4 + 1.5 * wet], [rhoA, heavier]),
             (0.9, ", depth: 0.7", [0.2 - 1.5 * wet, 0.7 + 1.5 * wet, 0.1], [rhoA, heavier, rhoA])]
    for surface, depth, spans, masses in cases if os.environ.get("WITHY_LONG") else cases[::2] + cases[-1:]:
        frequency, error, _, out = modes(folder, "kind: static\nelements: 20\n" + rod + water % (wet, surface, depth),
                                         "-n", "6")
        known = euler(EI, masses, spans, [(0, 0)] * len(spans), [2, 3], [2, 3], 3)
        off = np.abs(np.sort(frequency)[::2] / known - 1)
        assert (off < 2e-7).all(), (surface, off, error)
    swinging = ("kind: dynamic\nelements: 12\nduration: 25\nstep: 0.1\nevery: 1\nestimate: off\nstart: {velocities: "
                "[[0, 0, 0, 0, 0, 0, 0], [1, 1e-5, 0, 0, 0, 0, 0]]}\n")
    with open(folder + "/swings.yaml", "w") as f:
        f.write(swinging + rod + water % (wet, 0.75, ""))  # where two elements meet
    code, out, err = withy("run", folder + "/swings.yaml", "-o", folder + "/swings.h5")
    assert code == 0, err
    with h5py.File(folder + "/swings.h5") as f:
        x, t = f["state/position"][:, -1, 0], f["time"][:]

    def left(masses):
        known = euler(EI, masses, [0.75, 0.25], [(0, 0)] * 2, [2, 3], [2, 3], 3)
        waves = np.array([w(2 * math.pi * k * t) for k in known for w in (np.cos, np.sin)]).T
        return np.linalg.norm(x - waves @ np.linalg.lstsq(waves, x, rcond=None)[0]) / np.linalg.norm(x)
    # what is left: modes above the third
    assert left([heavier, rhoA]) < 3e-2 and left([heavier, heavier]) > 10 * left([heavier, rhoA]), (
        left([heavier, rhoA]), left([heavier, heavier]))


def stretched_wire(folder):
    """Pinned at both ends: u = U sin ks, N = rhoA w^2 U/k, Phi = (kU - N/GA)/((1+e) - T/GA), (EI k^2 - rhoI w^2) Phi =
    (1+e) N - T k U."""
    text = (f"kind: static\nlength: 1\nelements: 64\nfirst_end: pinned\nlast_end: {{name: pinned, position: [0, 0, "
            f"1.002]}}\nbranch: direct\nsection: {{name: circle, radius: 0.0005, {STEEL}}}\n")
    frequency, error, _, out = modes(folder, text, "-n", "10")
    r, e = 0.0005, 0.002
    A, I, G, rho = math.pi * r * r, math.pi * r**4 / 4, 200e9 / 2.6, 7800.0
    EA, EI, GA, rhoA, rhoI = 200e9 * A, 200e9 * I, 6 * 1.3 / (7 + 6 * 0.3) * G * A, rho * A, rho * I
    T = EA * e
    for n in range(1, 6):
        k = n * math.pi

        def miss(w2):
            N = rhoA * w2 / k
            Phi = (k - N / GA) / ((1 + e) - T / GA)
            return (EI * k * k - rhoI * w2) * Phi - (1 + e) * N + T * k

        a, b = 0.0, 2 * T * k * k / rhoA
        for _ in range(200):
            m = 0.5 * (a + b)
            a, b = (m, b) if miss(m) > 0 else (a, m)
        exact = math.sqrt(a) / (2 * math.pi)
        for mode in (2 * n - 2, 2 * n - 1):
            off = abs(frequency[mode] / exact - 1)
            assert off < 1e-8 and off < 3 * error[mode] + 1e-12, (n, off, error[mode])
    assert "1 symmetry left out" in out


def euler(EI, rhoA, spans, bodies, left, right, count):
    """Frequencies of Euler-Bernoulli spans with point masses between and after them, by transfer matrices in (w, w', M,
    Q); rhoA: of all, or of each."""
    rhoA = np.broadcast_to(rhoA, len(spans))

    def span(b, L):
        c, s, ch, sh = math.cos(b * L), math.sin(b * L), math.cosh(b * L), math.sinh(b * L)
        C0, C1, C2, C3 = (ch + c) / 2, (sh + s) / 2 / b, (ch - c) / 2 / b**2, (sh - s) / 2 / b**3
        b4 = b**4
        return np.array([[C0, C1, C2 / EI, C3 / EI], [b4 * C3, C0, C1 / EI, C2 / EI],
                         [EI * b4 * C2, EI * b4 * C3, C0, C1], [EI * b4 * C1, EI * b4 * C2, b4 * C3, C0]])

    def miss(f):
        w2 = (2 * math.pi * f) ** 2
        T = np.eye(4)
        for L, (m, J), mass in zip(spans, bodies, rhoA):
            B = np.eye(4)
            B[3, 0], B[2, 1] = m * w2, -J * w2
            T = B @ span((mass * w2 / EI) ** 0.25, L) @ T
        return np.linalg.det(T[np.ix_(right, left)])  # what is zero at the right, by what is free at the left

    found, f, step = [], 1e-3, 1e-2 * math.sqrt(EI / rhoA.max()) / sum(spans) ** 2
    d = miss(f)
    while len(found) < count:
        e = miss(f + step)
        if d * e < 0:
            a, b = f, f + step
            for _ in range(100):
                m = 0.5 * (a + b)
                a, b = (m, b) if miss(a) * miss(m) > 0 else (a, m)
            found.append(a)
        f, d = f + step, e
    return np.array(found)


def bodies_on_the_rod(folder):
    """A mass on the tip, and one with inertia inside, against transfer matrices; with weight the same but for its
    stress."""
    r = 0.00005  # what shear and rotary inertia change is then below 1e-7
    A, I = math.pi * r * r, math.pi * r**4 / 4
    EI, rhoA, m = 200e9 * I, 7800 * A, 7800 * A * 0.7
    base = (f"kind: dynamic\nlength: 1\nelements: 20\nlast_end: free\nsection: {{name: circle, radius: {r}, "
            f"{STEEL}}}\nduration: 1\nstep: 0.1\n")
    J = m * 0.05**2
    for rows, spans, bodies in ((f"[1, {m}, 0, 0, 0]", [1], [(m, 0)]),
                                (f"[0.4, {m}, {J}, {J}, 0]", [0.4, 0.6], [(m, J), (0, 0)]),
                                (f"[0.37, {m}, {J}, {J}, 0]", [0.37, 0.63], [(m, J), (0, 0)])):
        # nodes are put where bodies sit
        text = base if spans[0] != 0.37 else base.replace("dynamic", "static").replace("duration: 1\nstep: 0.1\n", "")
        frequency, error, _, _ = modes(folder, text + f"bodies: [{rows}]\n", "-n", "6")
        exact = euler(EI, rhoA, spans, bodies, [2, 3], [2, 3], 3)
        np.testing.assert_allclose(np.sort(frequency)[::2], exact, rtol=1e-6)


def an_unconstrained_rod(folder):
    """Free-free: the rigid motions are left out; thin bending by Euler, torsion and extension exactly."""
    r = 0.00005  # what shear and rotary inertia change is then below 1e-7
    A, I = math.pi * r * r, math.pi * r**4 / 4
    text = (f"kind: dynamic\nlength: 1\nelements: 20\nfirst_end: free\nlast_end: free\nsection: {{name: circle, "
            f"radius: {r}, {STEEL}}}\nduration: 1\nstep: 0.1\nloads: [gravity]\n")
    frequency, _, _, out = modes(folder, text, "-n", "6")
    exact = (np.array([4.730040744862704, 7.853204624095838, 10.995607838001671]) ** 2 / 2 / math.pi * math.sqrt(200e9
        * I / 7800 / A))
    np.testing.assert_allclose(frequency[::2], exact, rtol=1e-6)
    assert "its 6 motions as a rigid body are left out" in out, out
    thick = (f"kind: dynamic\nlength: 0.2\nelements: 20\nfirst_end: free\nlast_end: free\nsection: {{name: circle, "
             f"radius: 0.04, {STEEL}}}\nduration: 1\nstep: 0.1\n")
    frequency, _, _, _ = modes(folder, thick, "-n", "9")
    for want in (math.sqrt(200e9 / 2.6 / 7800) / 0.4, math.sqrt(200e9 / 7800) / 0.4):
        assert np.abs(frequency / want - 1).min() < 1e-8, (want, frequency)


def moved_ends_stand_still(folder):
    base = (f"kind: dynamic\nlength: 1\nelements: 20\nlast_end: free\nsection: {{name: circle, radius: 0.002, "
            f"{STEEL}}}\nduration: 1\nstep: 0.1\n")
    want, _, _, _ = modes(folder, base, "-n", "2")
    for end in ("{name: carried, x1: {name: sine, frequency: 2, amplitude: 0.1}}",
                "{name: moved, turn: [0, 0, 3], rotation: {name: sine, frequency: 1}}", "driven"):
        frequency, _, _, _ = modes(folder, base + f"first_end: {end}\n", "-n", "2")
        np.testing.assert_allclose(frequency, want, rtol=1e-10)


def whirl_of(E, r, rho, spin, n, direction):
    """A round shaft of length 1 on ball joints: u = W sin ks, turn = T cos ks, forward and backward by the determinant
    of both with the gyroscopic moment."""
    G, A, I = E / 2.6, math.pi * r * r, math.pi * r**4 / 4
    GA, k = 6 * 1.3 / (7 + 6 * 0.3) * G * A, n * math.pi

    def miss(w):
        return (GA * k * k - rho * A * w * w) * (E * I * k * k + GA - rho * I * w * w + 2 * rho * I * spin * w) - (GA
            * k) ** 2

    w = direction * k * k * math.sqrt(E * I / rho / A)
    a, b = 0.7 * w, 1.1 * w
    assert miss(a) * miss(b) < 0
    for _ in range(200):
        m = 0.5 * (a + b)
        a, b = (m, b) if miss(a) * miss(m) > 0 else (a, m)
    return abs(a)


def whirl(folder):
    """A slim and a stout shaft (whose second spectrum matters) against the closed form, with errors; critical speeds
    printed, stored and drawn."""
    for r, spin, shown, sure in ((0.02, 2000.0, 6, 1e-9), (0.05, 6000.0, 4, 1e-7)):
        path, out_file = folder + "/whirl.yaml", folder + "/whirl.h5"
        open(path, "w").write(f"kind: static\nlength: 1\nelements: 32\nfirst_end: pinned\nlast_end: {{name: pinned, "
                              f"position: [0, 0, 1]}}\nsection: {{name: circle, radius: {r}, {STEEL}}}\n")
        code, out, err = withy("modes", path, "-n", shown, "--spin", spin, "--points", "4", "-o", out_file, "--force")
        assert code == 0, err
        with h5py.File(out_file) as f:
            speeds, frequency, error, sense, critical = (f[name][:] for name in ("spin", "whirl/frequency",
                "whirl/error", "whirl/sense", "whirl/critical"))
        assert speeds[-1] == spin and np.all(np.diff(speeds) > 0)
        for i, speed in enumerate(speeds):
            for n in range(1, shown // 2 + 1):
                for k, direction in ((2 * n - 2, -1), (2 * n - 1, 1)):  # backward is slower
                    exact = whirl_of(200e9, r, 7800.0, speed, n, direction) / (2 * math.pi)
                    off = abs(frequency[i, k] - exact)
                    assert (off < sure * exact and off < 3 * error[i, k] + 1e-12 * exact
                            and error[i, k] < 1e-5 * exact), (r, speed, n, direction, off / exact, error[i, k] / exact)
                    assert sense[i, k] * direction > 0.99, (r, speed, n, sense[i])
        found = speeds[critical > 0]
        assert (len(found) >= 4 and all(abs(whirl_of(200e9, r, 7800.0, s, (int(c) + 1) // 2, 1 if c % 2 == 0 else -1)
                                            / s - 1) < sure for s, c in zip(found, critical[critical > 0])))
        assert (out.count("critical speed") == len(found) and f"{found[1]:.9g} rad/s" in out
                and "forward, rel. error" in out), out
    code, _, err = withy("plot", out_file, "-o", folder + "/campbell.svg", "--force")
    picture = open(folder + "/campbell.svg").read()
    assert (code == 0 and all(word in picture for word in ("Campbell", "forward", "backward", "1x",
                                                           f"{found[1]:.6g}"))), err
    # not a shaft: flat, or bent at rest
    open(path, "w").write(f"kind: static\nlength: 1\nelements: 16\nlast_end: free\nsection: {{name: rectangle, width: "
                          f"0.03, height: 0.02, {STEEL}}}\n")
    code, _, err = withy("modes", path, "--spin", "100")
    assert code != 0 and "round section" in err, err


def harmonic(EI, GA, rhoA, rhoI, L, f, tau, alpha, base):
    """The tip of a damped Timoshenko cantilever: rigidities times 1 + i w tau, w^2 - i w alpha with the masses; shaken
    by a force at its tip, or at its base."""
    w = 2 * math.pi * f
    c, m = 1 + 1j * w * tau, w * w - 1j * w * alpha
    ga, ri, mu = GA * L * L / EI, rhoI / (rhoA * L * L), rhoA * L**4 / EI * m  # in L and EI
    A = np.array([[0, 1, 0, 1 / (ga * c)], [0, 0, 1 / c, 0], [0, -ri * mu, 0, -1], [-mu, 0, 0, 0]],
                 dtype=np.clongdouble)
    n = max(0, int(math.ceil(math.log2(float(np.abs(A).sum(1).max()) + 1e-30))) + 6)
    S = T = np.eye(4, dtype=np.clongdouble)
    for k in range(1, 22):
        T = T @ A / np.longdouble(2) ** n / k
        S = S + T
    for _ in range(n):
        S = S @ S
    b = (-S[2, 0], -S[3, 0]) if base else (0, 1)
    det = S[2, 2] * S[3, 3] - S[2, 3] * S[3, 2]
    M, Q = (b[0] * S[3, 3] - S[2, 3] * b[1]) / det, (S[2, 2] * b[1] - S[3, 2] * b[0]) / det
    return complex(S[0, 2] * M + S[0, 3] * Q + S[0, 0]) if base else complex(S[0, 2] * M + S[0, 3] * Q) * L**3 / EI


def whirl_is_no_twist(folder):
    """A shaft clamped at one end has a torsional frequency pi/2 sqrt(G/rho)/L among those of its whirl: no critical
    speed, because no bend that turns drives it."""
    path, out_file, twist = folder + "/clamped.yaml", folder + "/clamped.h5", math.pi / 2 * math.sqrt(200e9 / 2.6
        / 7800)
    open(path, "w").write(f"kind: static\nlength: 1\nelements: 32\nsection: {{name: circle, radius: 0.05, {STEEL}}}\n")
    code, out, err = withy("modes", path, "-n", 6, "--spin", 6000, "-o", out_file, "--force")
    assert code == 0, err
    with h5py.File(out_file) as f:
        speeds, frequency, sense, critical = (f[name][:] for name in ("spin", "whirl/frequency", "whirl/sense",
            "whirl/critical"))
    near = np.abs(frequency * 2 * math.pi / twist - 1) < 1e-6
    assert near.any(axis=1).all() and np.all(sense[near] == 2), (frequency[0], sense[0])
    found = speeds[critical > 0]
    assert len(found) >= 3 and np.abs(found / twist - 1).min() > 1e-3 and out.count("critical speed") == len(found), (
        found, twist, out)


def shaken(folder):
    """A thick damped cantilever, forced at its tip and shaken at its base, over four resonances: against the closed
    form, with errors that are true."""
    r, L, tau, alpha = 0.02, 0.7, 2e-5, 4.0
    A, I, G = math.pi * r * r, math.pi * r**4 / 4, 200e9 / 2.6
    path, out_file = folder + "/shaken.yaml", folder + "/shaken.h5"
    open(path, "w").write(f"kind: static\nlength: {L}\nelements: 20\nlast_end: free\nsection: {{name: circle, radius: "
                          f"{r}, {STEEL}}}\ndamping: {{name: proportional, time: {tau}}}\nmass_damping: {alpha}\n")
    for shake, base, component in (("0.7:0:1:0", False, 1), ("first:1:0:0", True, 0)):
        code, out, err = withy("modes", path, "--response", "20:2200", "--points", "31", "--shake", shake)
        assert code == 0, err
        table = np.array([[float(v) for v in line.split(",")] for line in out.splitlines()[2:]])
        assert len(table) > 31 + 40
        for row in table[::3]:
            exact = harmonic(200e9 * I, 6 * 1.3 / (7 + 6 * 0.3) * G * A, 7800 * A, 7800 * I, L, row[0], tau, alpha,
                             base)
            size, phase, error = row[1 + 2 * component], row[2 + 2 * component], row[7 + component]
            off = abs(size * complex(math.cos(phase), math.sin(phase)) - exact)
            assert off < 1e-6 * abs(exact) and off < 3 * error + 1e-12 * abs(exact) and error < 1e-5 * abs(exact), (
                shake, row[0], off / abs(exact), error / abs(exact))
            assert row[1 + 2 * (1 - component)] < 1e-9 * size
    code, out, err = withy("modes", path, "--response", "20:2200", "--points", "31", "-o", out_file)
    assert code == 0 and len([line for line in out.splitlines() if line.split()[0][0].isdigit()]) == 4, (out, err)
    with h5py.File(out_file) as f:
        assert (f["response/amplitude"].shape == f["response/error"].shape == (len(table), 3)
                and f["response/phase"][0, 0] < 0 and decoded(f["response/amplitude"].attrs["unit"]) == "m/N")
    for name, words in (("r.svg", ("amplitude", "phase", "1e+02")), ("r.csv", ("amplitude_x [m/N]",)),
                        ("r.json", ('"amplitude"', '"error"'))):
        code, _, err = withy(*(["plot"] if name == "r.svg" else ["export"]), out_file, "-o", folder + "/" + name)
        text = open(folder + "/" + name).read()
        assert code == 0 and all(word in text for word in words), (name, err, text[:300])
    for args, words in ((["--response", "5"], "two frequencies"), (["--response", "1:2", "--shake", "3:1:0:0"],
            "from 0 to 0.7"),
                        (["--response", "1:2", "--shake", "last:1:0:0"], "not constrained")):
        code, out, err = withy("modes", path, *args)
        assert code != 0 and words in err, (args, err)


def dashpot_at_the_end(folder):
    """A rigid bar on a ball joint with a spring and a dashpot at its tip: theta'' (m L^2/3 + m r^2/4) + c L^2 theta' +
    k L^2 theta = 0."""
    k, c, L, m = 50.0, 0.3, 0.5, 7800 * math.pi * 0.02**2 * 0.5
    text = (f"kind: dynamic\nlength: {L}\nelements: 10\nfirst_end: pinned\nlast_end: {{name: spring, stiffness: [0, 0, "
            f"1e-3, {k}, {k}, 0], damping: [0, 0, 0, {c}, {c}, 0]}}\nsection: {{name: circle, radius: 0.02, "
            f"{STEEL}}}\nduration: 1\nstep: 0.1\n")
    frequency, _, ratio, out = modes(folder, text, "-n", "4")
    J = m * L * L / 3 + m * 0.02**2 / 4
    want = math.sqrt(k * L * L / J) / (2 * math.pi)
    at = int(np.argmin(np.abs(frequency - want)))
    np.testing.assert_allclose([frequency[at], ratio[at]], [want, 0.5 * c * L * L / J / (2 * math.pi * want)],
                               rtol=1e-5)


def a_frame_of_a_run(folder):
    """Modes about a stored equilibrium: of a sweep the frame's own, of a run that has settled the one it hangs in, and
    a frame in motion says how far it is."""
    path, run = folder + "/sweep.yaml", folder + "/sweep.h5"
    open(path, "w").write(f"kind: static\nlength: 1\nelements: 24\nlast_end: {{name: loaded, force: [0, 0, "
                          f"-1]}}\nsection: {{name: circle, radius: 0.01, {STEEL}}}\n"
                          "sweep: {number: last_end.force.2, from: 0, to: -3000, frames: 4}\n")
    code, _, err = withy("run", path, "-o", run, "-q")
    assert code == 0, err
    for frame, force in (("1", "-1000"), ("-1", "-3000")):
        by_frame, by_value = (withy("modes", *args, "-n", "2")[1] for args in ((run, "--frame", frame),
            (path, "--at", force)))
        a, b = (float(text.splitlines()[2].split()[1]) for text in (by_frame, by_value))
        assert abs(a / b - 1) < 1e-9 and "next to frame" in by_frame, (by_frame, by_value)
    code, _, err = withy("modes", run, "--frame", "4")
    assert code != 0 and "4 frames" in err, err
    code, _, err = withy("modes", path, "--frame", "1")
    assert code != 0 and "no archive" in err, err
    hang, file = folder + "/hang.yaml", folder + "/hang.h5"
    open(hang, "w").write(f"kind: dynamic\nlength: 0.6\nelements: 12\nlast_end: free\nsection: {{name: circle, radius: "
                          f"0.001, E: 2e9, nu: 0.3, density: 1200}}\nloads: [{{name: gravity, acceleration: [-9.81, 0, "
                          f"0]}}]\nstart: {{equilibrium: true, velocity: [0, 0.02, 0]}}\nduration: 0.02\nstep: "
                          f"0.001\nestimate: off\n")
    code, _, err = withy("run", hang, "-o", file, "-q")
    assert code == 0, err
    out = withy("modes", file, "--frame", "-1", "-n", "2")
    direct = withy("modes", hang, "-n", "2")
    assert out[0] == 0 and direct[0] == 0, (out, direct)
    a, b = (float(text[1].splitlines()[2].split()[1]) for text in (out, direct))
    assert abs(a / b - 1) < 1e-8, (out, direct)


def small_oscillations_in_time(folder):
    """Let go a little bent, the rod swings with the frequency of its first mode."""
    text = (f"kind: dynamic\nlength: 1\nelements: 8\nlast_end: free\nsection: {{name: circle, radius: 0.005, "
            f"{STEEL}}}\nstart: {{shape: {{name: constant, strain: [0, 0.002, 0, 0, 0, 1]}}}}\nduration: 1\nstep: "
            f"0.001\nestimate: off\n")
    frequency, _, _, _ = modes(folder, text, "-n", "1")
    code, _, err = withy("run", write(folder, text), "-o", folder + "/swing_in_time.h5", "--force", "-q")
    assert code == 0, err
    with h5py.File(folder + "/swing_in_time.h5") as f:
        x, t = f["state/position"][:, -1, 0], f["time"][:]
    up = [t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i]) for i in range(len(t) - 1) if x[i] < 0 <= x[i + 1]]
    assert abs((len(up) - 1) / (up[-1] - up[0]) / frequency[0] - 1) < 2e-3, (up, frequency)


def write(folder, text):
    path = folder + "/written.yaml"
    open(path, "w").write(text)
    return path


def few_elements_say_so(folder):
    """With four elements the tenth mode is rough, and says how rough."""
    text = (f"kind: static\nlength: 1\nelements: 4\nlast_end: free\nsection: {{name: rectangle, width: 0.03, height: "
            f"0.02, {STEEL}}}\n")
    rough, error, _, _ = modes(folder, text, "-n", "14", "--most", "32", "--tolerance", "0.5")
    fine, sure, _, _ = modes(folder, text, "-n", "14")
    off = np.abs(rough / fine - 1)
    assert 1e-7 < off.max() < error.max() < 1e-3 and np.all(off < 3 * error + sure) and sure.max() < 1e-8, (
        off, error, sure)


def shaft(folder):
    """Free: 2 sqrt(k/m) sin(i pi/2N)."""
    N, J, C = 12, 3.0, 2e-3
    text = f"kind: shaft\nn_elements: {N}\ninertia: {J}\ncompliance: {C}\nduration: 1\nstep: 0.01\n"
    frequency, _, _, out = modes(folder, text, "-n", "5")
    exact = [2 * math.sqrt(N / C / (J / N)) * math.sin(i * math.pi / (2 * N)) / (2 * math.pi) for i in range(5)]
    np.testing.assert_allclose(frequency, exact, rtol=1e-10, atol=1e-5)
    # held at one end: errors are those against the continuous shaft, (2i - 1)/(4 sqrt(J C)) Hz
    for n in (10, 40):
        held = (f"kind: shaft\nn_elements: {n}\ninertia: 1e-3\ncompliance: 1e-3\nend1: {{drive: "
                f"hard-angle}}\nduration: 1\nstep: 0.01\n")
        frequency, error, _, out = modes(folder, held, "-n", "3")
        true = [abs(f / ((2 * i + 1) / (4 * 1e-3)) - 1) for i, f in enumerate(frequency)]
        assert all(t < 2 * e and e < 4 * t + 1e-6 for t, e in zip(true, error)), (n, true, error)
    for option in (("--spin", "10"), ("--response", "1:10")):
        code, out, err = withy("modes", folder + "/m.yaml", *option)
        assert code == 2 and option[0] in err and "rods" in err, (code, err)


def kinds_shapes_refusals(folder):
    path = folder + "/c.yaml"
    with open(path, "w") as f:
        f.write(f"kind: continuation\nlength: 1\nelements: 32\nlast_end: {{name: loaded, force: [0, 0, -1]}}\nsection: "
                f"{{name: circle, radius: 0.01, {STEEL}}}\n"
                "parameter: {number: last_end.force.2, from: -3000, to: 0, start: 0}\n")
    code, out, err = withy("modes", path, "-n", "2")
    unloaded = float(out.splitlines()[2].split()[1])
    code, out, err = withy("modes", path, "-n", "2", "--at", "-2500")
    pushed = float(out.splitlines()[2].split()[1])
    critical = math.pi**2 * 200e9 * math.pi * 0.01**4 / 16
    # a column's frequency falls to zero at its critical load
    assert abs(pushed / unloaded - (1 - 2500 / critical)) < 0.02, (pushed, unloaded)
    out_file = folder + "/modes.h5"
    example = SOURCE + "/examples/damped-cantilever.yaml"
    code, out, err = withy("modes", example, "-n", "3", "-o", out_file)
    assert code == 0, err
    with h5py.File(out_file) as f:
        assert (f["mode/frequency"].shape == (3,) and f["state/position"].shape[0] == 3 and f["mode/damping_ratio"][0]
                > 0)
        assert (abs(np.abs(f["mode/displacement"][0]).max() - 1) < 1e-12 or abs(np.abs(f["mode/turn"][0]).max() - 1)
                < 1e-12)
    code, out, err = withy("plot", out_file, "-o", folder + "/modes.svg")
    assert code == 0, err
    code, out, err = withy("modes", example, "--mode", "2", "-o", folder + "/swing.h5")
    assert code == 0, err
    with h5py.File(folder + "/swing.h5") as f:
        x = f["state/position"][:] - f["state/rest"][:]
        assert (np.abs(x[0]).max() < 1e-12 and np.abs(x[-1]).max() < 1e-9 and abs(np.abs(x[12]).max() / np.abs(x).max()
            - 1) < 1e-12)
    for args, words in ((["modes", SOURCE + "/examples/rigid-body.yaml"], "has no modes"),
                        (["modes", example, "-n", "65"], "from 1 to 64"),
                        (["modes"], "expected a scenario or an archive")):
        code, out, err = withy(*args)
        assert code != 0 and words in err and not out, (args, code, err)


def a_kind_like_the_others(folder):
    """`kind: modes` of every kind gives the numbers of `withy modes`, and is recorded, drawn, exported, swept and
    resumed."""
    rod = f"length: 1, elements: 16, section: {{name: circle, radius: 0.02, {STEEL}}}, mass_damping: 3"
    column = rod + ", last_end: {name: loaded, force: [0, 0, -1]}"
    cases = {
        "static": (rod, "", []),
        "dynamic": (rod + ", loads: [gravity], duration: 1, step: 0.1", "count: 3\n", ["-n", "3"]),
        "continuation": (column + ", parameter: {number: last_end.force.2, from: -5000, to: 0, start: 0}",
                         "at: -4000\n", ["--at", "-4000"]),
        "shaft": ("n_elements: 12, inertia: 3, compliance: 2e-3, duration: 1, step: 0.01", "count: 5\n", ["-n", "5"])}
    archive = folder + "/kind.h5"
    for kind, (keys, more, options) in cases.items():
        given = folder + "/given.yaml"
        open(given, "w").write("{kind: " + kind + ", " + keys + "}\n")
        code, out, err = withy("modes", given, *options)
        assert code == 0, err
        rows = [line.split() for line in out.splitlines() if line.split()[0].isdigit()]
        path = write(folder, "kind: modes\nof: {name: " + kind + ", " + keys + "}\n" + more)
        code, out, err = withy("run", path, "-o", archive, "--force")
        assert code == 0 and "verdict: frequencies within" in out and not err, (kind, out, err)
        with h5py.File(archive) as f:
            assert decoded(f.attrs["kind"]) == "modes"
            eigenvalue, error = f["mode/eigenvalue"][:], f["certificate/error_frequency"][:]
        np.testing.assert_allclose(eigenvalue, [float(r[1]) for r in rows], rtol=1e-10, atol=1e-3)
        np.testing.assert_allclose(error, [float(r[4]) for r in rows], rtol=0.06, atol=1e-15)
        for name in ("k.svg", "k.csv", "k.json"):
            code, _, err = withy(*(["plot"] if name == "k.svg" else ["export"]), archive, "-o", folder + "/" + name,
                                 "--force")
            assert code == 0 and ("Hz" if name == "k.svg" else "frequency") in open(folder + "/" + name).read(), (
                kind, name, err)
        assert withy("modes", path, *options)[1] == withy("modes", given, *options)[1]
        assert "next to frame" in withy("modes", archive, "--frame", "0")[1] or kind == "shaft"
    path = write(folder, "kind: modes\nof: {name: static, " + rod + "}\ncount: 2\n")
    for setting, name, shape in (("mode=2", "state/position", (49, 33, 3)), ("spin=900", "whirl/frequency", None),
                                 ("shaking={from: 5, to: 80, by: first_end}", "response/amplitude", None)):
        code, out, err = withy("run", path, "-o", archive, "--force", "--set", setting)
        assert code == 0 and "verdict: " in out, (setting, err)
        with h5py.File(archive) as f:
            assert shape is None or f[name].shape == shape, f[name].shape
            if "state" in name:  # the second mode of a round rod has the frequency of the first
                bending = 1.8751040687**2 / (4 * math.pi) * math.sqrt(200e9 / 7800) * 0.02
                assert np.abs(f["mode/frequency"][:] / bending - 1).max() < 2e-3, f["mode/frequency"][0] / bending
            if "whirl" in name:
                assert (f["whirl/critical"][:] > 0).sum() == 2
            if "response" in name:
                assert decoded(f[name].attrs["unit"]) == "1" and f[name][:].max() > 5
    for settings, words in ((["of.name=rigid-body"], "rigid-body"), (["mode=3"], "mode 3, but count is 2"),
                            (["points=1"], "at least 2"), (["shaking.from=9"], "'from' below 'to'"),
                            (["spin=1", "shaking={from: 1, to: 2}"], "either spun or shaken"),
                            (["of.length=-1"], "positive"), (["of.section.density=0"], "mass")):
        code, out, err = withy("run", path, "-o", folder + "/none.h5", *(a for s in settings for a in ("--set", s)))
        assert code != 0 and words in err, (settings, code, err)
    for of, words in (("{name: modes, of: {name: static, " + rod + "}}", "'modes' has no modes"),
                      ("{name: rigid-body, inertia: [1, 2, 3], momentum: [1, 0, 0], duration: 1, step: 0.1}",
                       "'rigid-body' has no modes"),
                      ("{name: static, " + rod + ", last_end: {name: coaxial, shortening: 2}}", ":2:5: last_end: ")):
        code, out, err = withy("run", write(folder, "kind: modes\nof: " + of + "\n"), "-o", folder + "/none.h5")
        assert code == 2 and words in err, (of, code, err)
    path = write(folder, "kind: modes\nof: {name: static, " + rod + "}\ncount: 2\n")
    swept, table = folder + "/swept.yaml", folder + "/swept.h5"
    open(swept, "w").write(f"scenario: {path}\nover: {{of.length: [1, 2]}}\nkeep: [first(frequency)]\n")
    code, out, err = withy("sweep", swept, "-o", table)
    assert code == 0, err
    code, out, err = withy("export", table, "--format", "csv", "-o", "-")
    head, *rows = [line.split(",") for line in out.splitlines() if not line.startswith("#")]
    column = next(i for i, name in enumerate(head) if name.startswith("first(frequency)"))
    first = [float(row[column]) for row in rows]
    assert abs(first[0] / first[1] / 4 - 1) < 2e-3, out


main(a_kind_like_the_others, in_water, partly_in_water, whirl, whirl_is_no_twist, shaken, dashpot_at_the_end,
     a_frame_of_a_run, small_oscillations_in_time, bodies_on_the_rod, an_unconstrained_rod, moved_ends_stand_still,
     steel_cantilever, thick_beam_torsion_axial_damping, drag, stretched_wire, few_elements_say_so, shaft,
     kinds_shapes_refusals)
