"""The pages of `withy validate -o` and `withy reproduce --all -o` in a real browser: every picture is drawn, none is
empty, nothing sticks out."""
import os
import re
import shutil
import subprocess

from check import SANITIZE, main, withy

LONG = os.environ.get("WITHY_LONG") == "1"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--virtual-time-budget=60000", "--window-size=1280,900"]
OBSERVER = """<script>
addEventListener('load', async () => {
    const all = [...document.images];
    let good = 0;
    for (const i of all) {
        i.loading = 'eager';
        try { await i.decode(); } catch (e) { continue; }
        const box = i.getBoundingClientRect();
        good += i.naturalWidth > 0 && box.width > 200 && box.height > 100;
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const parts = document.querySelectorAll('h2').length;
    document.documentElement.dataset.seen = `${good} of ${all.length}, ${wide} too wide, ${parts} parts`;
});
</script>"""


def seen(folder):
    """What the browser makes of folder/index.html: (good pictures, pictures, pixels too wide, parts)."""
    page = open(folder + "/index.html", encoding="utf-8").read()
    with open(folder + "/looked.html", "w", encoding="utf-8") as f:
        f.write(page.replace("</head>", OBSERVER + "</head>", 1))
    done = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={folder}-profile", "--dump-dom",
                           f"file://{folder}/looked.html"],
                          capture_output=True, text=True, timeout=600)
    found = re.search(r'data-seen="(\d+) of (\d+), (-?\d+) too wide, (\d+) parts"', done.stdout)
    assert found, (done.stdout[:500], done.stderr[-500:])
    return tuple(map(int, found.groups()))


def the_atlas(folder):
    if not CHROMIUM:
        return
    names = ["roll-up", "bathe-bend", "pendulum"]
    code, out, err = withy("validate", *names, "-o", folder + "/a", "-q")
    assert code == 0, err
    found = seen(folder + "/a")
    assert found == (3, 3, 0, 3), found


def the_sources(folder):
    if not CHROMIUM or not LONG or SANITIZE:
        return
    code, out, err = withy("reproduce", "--all", "-o", folder + "/s", "-q")
    assert code == 0, err
    good, pictures, wide, parts = seen(folder + "/s")
    assert good == pictures > 45 and wide == 0 and parts == len(withy("reproduce", "--list")[1].splitlines()), (
        good, pictures, wide, parts)


main(the_atlas, the_sources)
