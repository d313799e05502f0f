"""Puts docs/glossary.md, docs/banned.txt and tests/unit/test_words.py into a tree that has none."""
import os
import shutil
import subprocess

FILES = {"glossary.md": "docs/glossary.md", "banned.txt": "docs/banned.txt", "test_words.py": "tests/unit/test_words.py"}


def apply(tree):
    changed = []
    for name, path in FILES.items():
        full = os.path.join(tree, path)
        if not os.path.exists(full):
            shutil.copyfile(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name), full)
            subprocess.run(["git", "-C", tree, "add", path], check=True)
            changed.append(path)
    return changed
