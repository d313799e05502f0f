"""`withy view`: pages in a real browser, a server for this machine only, and clear errors for files that are not
archives."""
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

import h5py
import numpy

from check import BUILD, SANITIZE, SOURCE, WITHY, decoded, main, withy

HERE = os.path.join(SOURCE, "tests/browser")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion"]


def run(folder, scenario, *settings):
    path = os.path.join(folder, scenario + ".h5")
    given = [x for s in settings for x in ("--set", s)]
    code, _, said = withy("run", os.path.join(SOURCE, "examples", scenario + ".yaml"), "-o", path, *given)
    assert code == 0, said
    return path


def view(path, *options):
    name = os.path.splitext(path)[0] + ("-plain" if "--plain" in options else "") + ".html"
    code, out, said = withy("view", path, "-o", name, *options)
    assert code == 0 and out.strip() == name, said
    return name


def tiled(source, path, frames):
    """The archive `source` with its frames repeated, back and forth, until there are so many."""
    with h5py.File(source) as old, h5py.File(path, "w") as new:
        new.attrs.update(old.attrs)
        for name in decoded(old.attrs["channels"]).split("\n"):
            there = len(old[name])
            pick = numpy.arange(frames) % (2 * there - 2)
            data = old[name][:][numpy.minimum(pick, 2 * there - 2 - pick)]
            if name == "time":
                data = numpy.arange(frames) * 1e-3
            made = new.create_dataset(name, data=data)
            for key in ("unit", "units", "description", "panel", "meaning"):
                if key in old[name].attrs:
                    made.attrs[key] = old[name].attrs[key]
    return path


def hostile(source, path):
    shutil.copy(source, path)
    bad = "</script><script>globalThis.strange=1</script>"
    with h5py.File(path, "r+") as f:
        def put(item, name, text):
            kind = f.attrs.get_id("title").dtype
            item.attrs.create(name, text.encode() + b"\xff\xfe" if name == "kind" else text,
                              dtype=kind if kind.kind == "S" and kind.itemsize > len(text) else None)
        put(f, "title", f"<!--<script>{bad}\u2028\"'")
        put(f, "outcome", "<img src=x onerror=globalThis.strange=1>")
        put(f["state/tip"], "unit", "<i>m</i>")
        put(f["state/tip"], "description", bad)
        list_ = decoded(f.attrs["channels"]).replace("certificate/kinematic_residual", "certificate/<b>channel<&b>")
        f.move("certificate/kinematic_residual", "certificate/<b>channel<&b>")
        put(f, "channels", list_)
    return path


def packages():
    """node_modules with playwright-core and axe-core; None (and why) where npm cannot bring them."""
    modules = os.path.join(BUILD, "browser")
    os.makedirs(modules, exist_ok=True)
    if not shutil.which("node") or not shutil.which("npm"):
        return None, "node or npm is not installed"
    lock = os.path.join(HERE, "package-lock.json")
    stamp = os.path.join(modules, "installed-lock.json")
    if not os.path.exists(stamp) or open(stamp).read() != open(lock).read():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(os.path.join(HERE, name), modules)
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"],
                              cwd=modules,
                              capture_output=True, text=True)
        if done.returncode:
            return None, "npm could not bring the packages: " + done.stderr.strip()[-300:]
        shutil.copy(lock, stamp)
    return modules, None


class Growth:
    """Lengthens an archive when asked over HTTP, as a run that computes does: another file takes the place of the
    first."""

    def __init__(self, path, longer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                shutil.copy(longer, path + ".new")
                os.replace(path + ".new", path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"


class Served:
    """`withy view --serve`, ended by Ctrl-C."""

    def __init__(self, path, *options):
        self.process = subprocess.Popen([WITHY, "view", "--serve", path, *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=20)
        assert self.process.returncode == 0 and not said, (self.process.returncode, said)

    def get(self, address=None, **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(address or self.address, headers=headers),
                                        timeout=20) as reply:
                return reply.status, dict(reply.headers), reply.read()
        except urllib.error.HTTPError as refused:
            return refused.code, dict(refused.headers), refused.read()


def running(source, path, frames):
    """The first frames of an archive, as if its run had not ended."""
    tiled(source, path, frames)
    with h5py.File(path, "r+") as f:
        f.attrs["outcome"] = "running"
    return path


def in_the_browser(folder):
    assert CHROMIUM, "no Chromium: what is needed is listed in debian-packages.txt"
    soft = run(folder, "soft-rod")
    plain = view(soft, "--plain")
    modules, why = packages()
    if not modules:
        print(f"     {why}: the plain viewer is looked at without Playwright")
        plain_only(folder, plain)
        return
    moving = {"plain": "file://" + plain}
    page = view(soft)
    built = open(os.path.join(BUILD, "app/viewer/pages/which")).read().strip()
    if built == "three":
        moving = {"three": "file://" + page, **moving}
    else:
        print(f"     the viewer with three.js was not built ({built}): only the plain one is tested")
    small = run(folder, "twist-shortening-branches", "elements=24", "most_elements=24", "follow.branches=2")
    long_source = run(folder, "damped-cantilever", "elements=50", "duration=0.1")
    frames = 1000 if SANITIZE else 10000
    long_page = view(tiled(long_source, os.path.join(folder, "long.h5"), frames))
    size = os.path.getsize(long_page)
    print(f"     {frames} frames of 50 elements: {size / 1e6:.1f} MB")
    assert size < 50e6, size
    grown = running(soft, os.path.join(folder, "grown.h5"), 60)
    growing = running(soft, os.path.join(folder, "growing.h5"), 20)
    growth = Growth(growing, grown)
    several, aside = [], os.path.join(folder, "aside")
    os.mkdir(aside)
    for radius in (0.004, 0.005, 0.006):
        path = run(aside, "soft-rod", f"section.radius={radius}")
        several.append(shutil.move(path, os.path.join(folder, f"radius-{radius}.h5")))
    overlay = os.path.join(folder, "several.html")
    code, _, said = withy("view", *several, "-o", overlay)
    assert code == 0, said
    os.mkdir(os.path.join(folder, "coarse"))
    warned = view(run(os.path.join(folder, "coarse"), "soft-rod", "step=0.05", "elements=3"))
    others = [run(folder, name) for name in ("shaft", "rigid-body", "flying-rod", "helix")]
    with Served(growing) as served:
        task = {"modules": modules, "chromium": CHROMIUM, "moving": moving, "branches": "file://" + view(small),
                "warned": "file://" + warned,
                "sweep": "file://" + view(run(folder, "spring-steel-strip")),
                "assembly": "file://" + view(run(folder, "swaying-table")),
                "several": "file://" + overlay, "several_names": ["section.radius=0.004", "section.radius=0.005",
                    "section.radius=0.006"],
                "hostile": "file://" + view(hostile(soft, os.path.join(folder, "hostile.h5"))),
                "others": ["file://" + view(path) for path in others], "long": "file://" + long_page,
                "served": served.address, "grow": growth.address}
        tasks = os.path.join(folder, "tasks.json")
        with open(tasks, "w") as f:
            json.dump(task, f)
        done = subprocess.run(["node", os.path.join(HERE, "browser.mjs"), tasks], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    assert done.returncode == 0


def plain_only(folder, page):
    """Chromium alone: the page gets ready, fills its texts in, and its picture has many colours."""
    env = dict(os.environ, HOME=folder)
    dom = subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={folder}/u1", "--virtual-time-budget=4000", "--dump-dom",
                          "file://" + page],
                         capture_output=True, text=True, env=env, timeout=120).stdout
    assert 'data-ready="' in dom and 'data-viewer="plain"' in dom and "a soft rod let go" in dom, dom[:300]
    picture = os.path.join(folder, "plain.png")
    subprocess.run([CHROMIUM, *FLAGS, f"--user-data-dir={folder}/u2", "--virtual-time-budget=4000",
                    "--window-size=1000,700",
                    f"--screenshot={picture}", "file://" + page], capture_output=True, env=env, timeout=120)
    assert os.path.getsize(picture) > 20000


def the_plain_viewer_without_packages(folder):
    plain_only(folder, view(run(folder, "soft-rod"), "--plain"))


def pages_are_whole_and_small(folder):
    soft = run(folder, "soft-rod")
    for options in ([], ["--plain"]):
        page = view(soft, *options)
        with open(page) as f:
            text = f.read()
        viewer = re.sub(r'<script type="(application/json|text/plain)".*?</script>', "", text, flags=re.S)
        print(f"     viewer without data: {len(viewer) / 1e6:.2f} MB {options}")
        assert len(viewer) < 1.2e6
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "connect-src 'none'" in policy, policy
        assert re.search(r"script-src 'sha256-[A-Za-z0-9+/]{43}='", policy), policy
        assert not re.search(r"<(script|link|img)[^>]+(src|href)=", viewer.split("<script type=\"module\">")[0])
        if "three.js" in text or "THREE" in text:
            assert "The MIT License" in text and "MIT License" in text  # of what is bundled
    code, out, said = withy("view", soft, "-o", "-")
    assert code == 0 and out.startswith("<!doctype html>") and out.rstrip().endswith("</html>"), said


def no_archive_no_page(folder):
    soft = run(folder, "soft-rod")
    with open(soft, "rb") as f:
        bytes_ = f.read()
    bad = {"truncated": bytes_[:len(bytes_) // 3], "empty": b"", "foreign": b"\x89PNG\r\n\x1a\n" * 100}
    for name, content in bad.items():
        path = os.path.join(folder, name + ".h5")
        with open(path, "wb") as f:
            f.write(content)
        code, out, said = withy("view", path)
        assert code == 3 and name + ".h5" in said and said.count("\n") == 1 and not out, (name, code, said)
        assert not os.path.exists(os.path.join(folder, name + ".html")), name
    code, _, said = withy("view", os.path.join(folder, "none.h5"))
    assert code == 3 and "no such file" in said.lower(), said
    # a scenario of a later version: the run is shown, and the page says what it does not understand
    newer = os.path.join(folder, "newer.h5")
    shutil.copy(soft, newer)
    with h5py.File(newer, "r+") as f:
        f.attrs["scenario"] = "kind: dynamic\nholograms: 3\n"
        f.attrs["withy_version"] = "99.0.0"
    code, _, said = withy("view", newer)
    assert code == 0, said
    with open(os.path.join(folder, "newer.html")) as f:
        assert re.search(r'"config_problem":"[^"]*holograms', f.read())
    for wrong, word in ((["view"], "an archive"), (["view", soft, "--port", "80"], "--serve"),
                        (["view", "--serve", soft, "--port", "x"], "--port"),
                        (["view", soft, "-o", soft], "itself"), (["view", "--serve", soft, soft], "one archive"),
                        (["view"] + [soft] * 30, "up to 25"), (["view", "--serve", soft, "-o", "x"], "--output")):
        code, _, said = withy(*wrong)
        assert code == 2 and word in said, (wrong, said)


def foreign_pages_stay(folder):
    soft = run(folder, "soft-rod")
    page = os.path.join(folder, "mine.html")
    with open(page, "w") as f:
        f.write("<!doctype html><p>my own page, which took an evening")
    code, _, said = withy("view", soft, "-o", page)
    assert code == 3, said
    assert "evening" in open(page).read()
    assert withy("view", soft, "-o", page, "--force")[0] == 0
    assert withy("view", soft, "-o", page)[0] == 0  # its own it may replace


def served_to_this_machine_only(folder):
    soft = run(folder, "soft-rod")
    with Served(soft) as served:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", served.address)
        assert found, served.address
        port, token = found.groups()
        base = f"http://127.0.0.1:{port}"
        code, headers, body = served.get()
        assert code == 200 and body.startswith(b"<!doctype html>") and b"connect-src 'self'" in body
        assert headers["Cache-Control"] == "no-store" and "Access-Control-Allow-Origin" not in headers
        packet = json.loads(served.get(served.address + "run?from=90")[2])
        assert packet["first"] == 90 and packet["count"] == 11 and packet["frames"] == 101
        assert json.loads(served.get(served.address + "run?from=1000000")[2])["count"] == 0
        for address in (base + "/", base + "/" + token, f"{base}/{'0' * 32}/", f"{base}/{token}x/",
                        f"{served.address}../{token}/etc/passwd", served.address + "soft-rod.h5"):
            assert served.get(address)[0] == 404, address
        assert served.get(Host="evil.example")[0] == 403
        assert served.get(Host=f"evil.example:{port}")[0] == 403
        assert served.get(Origin="http://evil.example")[0] == 403
        assert served.get(**{"Sec-Fetch-Site": "cross-site"})[0] == 403
        assert served.get(Origin=base)[0] == 200
        post = urllib.request.Request(served.address, data=b"x")
        try:
            assert urllib.request.urlopen(post, timeout=20).status == 400
        except urllib.error.HTTPError as refused:
            assert refused.code == 400
    # an archive that is not there yet is waited for
    later = os.path.join(folder, "later.h5")
    with Served(later) as served:
        assert b'"waiting"' in served.get()[2]
        assert "waiting" in json.loads(served.get(served.address + "run?from=0")[2])
        shutil.copy(soft, later)
        assert json.loads(served.get(served.address + "run?from=0")[2])["count"] == 101
    time.sleep(0)


main(pages_are_whole_and_small, no_archive_no_page, foreign_pages_stay, served_to_this_machine_only,
     the_plain_viewer_without_packages,
     in_the_browser)
