"""Showing: the viewer's page in a notebook, tables, a bar that tells how far a run is."""
import html
import os
import sys
import tempfile
import time

from . import _core


def page_of(archive, plain=False):
    """The viewer's page of an archive."""
    with tempfile.TemporaryDirectory(prefix="withy-") as folder:
        page = os.path.join(folder, "run.html")
        _core.page(archive, page, plain)
        with open(page, encoding="utf-8") as f:
            return f.read()


def frame(page, height=480):
    """A page inside another one."""
    return (f'<iframe style="width:100%;height:{height}px;border:1px solid #ccc" sandbox="allow-scripts" '
            f'srcdoc="{html.escape(page, quote=True)}"></iframe>')


def table(head, rows):
    """Rows as an HTML table."""
    def cell(x):
        return html.escape(f"{x:.6g}" if isinstance(x, float) else str(x))
    body = "".join("<tr>" + "".join(f"<td>{cell(x)}</td>" for x in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(f'<th>{cell(h)}</th>' for h in head)}</tr></thead><tbody>{body}</tbody></table>"


def badge(verdict, warnings):
    """The verdict in one line, and why it may be wrong."""
    color = "#b45309" if warnings else "#166534"
    lines = "".join(f"<div>{html.escape(w)}</div>" for w in warnings)
    return f'<div style="border-left:4px solid {color};padding-left:8px"><b>{html.escape(verdict)}</b>{lines}</div>'


def in_notebook():
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None


class Bar:
    """Call it with a fraction from 0 to 1: a line in the terminal, an HTML bar in a notebook."""

    def __init__(self, title="", stream=None):
        self.title, self.stream, self.began = title, stream or sys.stderr, time.monotonic()
        self.handle = None
        self.notebook = in_notebook()

    def __call__(self, fraction):
        left = (time.monotonic() - self.began) * (1 / fraction - 1) if fraction > 0 else 0.0
        text = f"{self.title} {100 * fraction:5.1f} %" + (f", {left:.0f} s left" if fraction < 1 else "")
        if self.notebook:
            from IPython.display import HTML, display
            bar = HTML(f'<progress value="{fraction:.4f}" max="1"></progress> {html.escape(text)}')
            if self.handle is None:
                self.handle = display(bar, display_id=True)
            else:
                self.handle.update(bar)
        else:
            print("\r" + text.ljust(50), end="\n" if fraction >= 1 else "", file=self.stream, flush=True)


def watcher(progress, title):
    """What `progress=` means: None or False nothing, True a bar, else a function of the fraction."""
    if progress is None or progress is False:
        return None
    return Bar(title) if progress is True else progress
