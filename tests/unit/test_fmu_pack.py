"""The tool that joins an FMU's sources refuses a name that two of them declare, whatever it is a name of."""
import os
import subprocess

from check import BUILD, main

SAME = {
    "a function": "static int twin(void) {\n    return 1;\n}\n",
    "a constant": "enum { FIRST, twin };\n",
    "an array": "static const int twin[] = {1};\n",
    "a type": "typedef struct twin {\n    int x;\n} twin;\n",
    "a kernel": "INLINE int twin(int x) {\n    return x;\n}\n",
}
ANOTHER = "static int other(int twin) { /* twin */\n    return twin;\n}\n#define TWIN twin\n"


def join(folder, **sources):
    paths = []
    for name, text in sources.items():
        paths.append(os.path.join(folder, name + ".c"))
        with open(paths[-1], "w") as f:
            f.write(text)
    out = os.path.join(folder, "joined")
    done = subprocess.run([f"{BUILD}/app/fmu/fmu_pack", "amalgamate", out, "x", "0", folder, *paths],
                          capture_output=True, text=True)
    if done.returncode:
        return done, ""
    with open(out) as f:
        return done, f.read()


def names_of_two_files(folder):
    for what, text in SAME.items():
        for mate in SAME.values():
            done, _ = join(folder, first=text, second=mate)
            assert done.returncode == 1, what
            assert all(word in done.stderr for word in ("first.c", "second.c", "'twin'")), done.stderr
        done, _ = join(folder, first=text, second=ANOTHER)
        assert done.returncode == 0, (what, done.stderr)


def texts_stay(folder):
    done, text = join(folder, first=ANOTHER, second="int shared(void) {\n    return 2;\n}\n#define TWIN 3\n")
    assert done.returncode == 0 and ANOTHER in text, done.stderr
    assert "WY_API int shared(void)" in text, text
    assert text.count("#undef TWIN") == 2, text  # a macro ends with its file


main(names_of_two_files, texts_stay)
