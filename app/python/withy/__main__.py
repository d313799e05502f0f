"""The command: `withy` or `python -m withy`."""
import os
import sys

from .commands import COMMAND


def main() -> None:
    os.execv(COMMAND, ["withy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
