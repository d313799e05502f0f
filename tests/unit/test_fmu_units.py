"""The SI exponents of every unit in an FMU's description are those that its name says."""
import re
import xml.etree.ElementTree as ET
import zipfile

from check import main, withy

# What the letters mean: exponents of kg, m, s, rad.
LETTERS = {"1": {}, "kg": {"kg": 1}, "m": {"m": 1}, "s": {"s": 1}, "rad": {"rad": 1}, "N": {"kg": 1, "m": 1, "s": -2},
           "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3}, "Pa": {"kg": 1, "m": -1, "s": -2},
           "Hz": {"s": -1}}


def meaning(name):
    """Exponents of "N.m.s/rad", "kg.m2", "rad/(N.m)": factors with powers, and at most one division."""
    above, _, below = name.partition("/")
    total = {}
    for text, sign in ((above, 1), (below.strip("()"), -1)):
        for factor in filter(None, text.split(".")):
            letters, power = re.fullmatch(r"([A-Za-z]+|1)(-?\d*)", factor).groups()
            for unit, exponent in LETTERS[letters].items():
                total[unit] = total.get(unit, 0) + sign * exponent * int(power or 1)
    return {unit: e for unit, e in total.items() if e}


def units_mean_what_they_say(folder):
    count = 0
    code, out, err = withy("fmu", "--list")
    assert code == 0, err
    models = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert {"shaft", "rigid_body"} <= set(models), models
    for model in models:
        for fmi in (2, 3):
            path = f"{folder}/{model}{fmi}.fmu"
            code, _, err = withy("fmu", model, "-o", path, "--fmi", fmi)
            assert code == 0, err
            with zipfile.ZipFile(path) as archive:
                root = ET.fromstring(archive.read("modelDescription.xml"))
            for unit in root.findall("UnitDefinitions/Unit"):
                base = unit.find("BaseUnit")
                stated = {k: int(v) for k, v in base.attrib.items() if int(v)}
                assert stated == meaning(unit.get("name")), (model, fmi, unit.get("name"), stated)
                count += 1
    assert count >= 20, count


def the_reader_can_read(_):
    assert meaning("N.m.s/rad") == {"kg": 1, "m": 2, "s": -1, "rad": -1}
    assert meaning("rad/(N.m)") == {"kg": -1, "m": -2, "s": 2, "rad": 1}
    assert meaning("rad/s2") == {"rad": 1, "s": -2} and meaning("1") == {}


main(units_mean_what_they_say, the_reader_can_read)
