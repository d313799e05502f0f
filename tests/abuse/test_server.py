"""`withy view --serve` (L3): several clients at once, a time limit for each, and signals that end it at once, also
while clients are connected."""
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request

from check import SANITIZE, SOURCE, WITHY, main, withy


class Served:
    def __init__(self, folder):
        path = folder + "/run.h5"
        code, out, err = withy("run", os.path.join(SOURCE, "examples/rigid-body.yaml"), "-q", "-o", path, "--set",
                               "duration=1")
        assert code == 0, err
        self.process = subprocess.Popen([WITHY, "view", "--serve", path, "--plain"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.match(r"http://127.0.0.1:(\d+)/", self.address).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def slow(self, text=b"GET /"):
        s = socket.create_connection(("127.0.0.1", self.port))
        s.sendall(text)
        return s

    def page(self):
        with urllib.request.urlopen(self.address, timeout=20) as f:
            return f.read()

    def end(self, which=signal.SIGINT):
        begin = time.monotonic()
        self.process.send_signal(which)
        self.process.wait(timeout=20)
        return time.monotonic() - begin


def slow_clients_delay_no_other(folder):
    with Served(folder) as served:
        slow = [served.slow() for _ in range(10)]
        path = served.address[served.address.index("/", 8):]
        taker = served.slow(  # sends a request and does not read the answer
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
        begin = time.monotonic()
        pages = [served.page() for _ in range(3)]
        took = time.monotonic() - begin
        assert all(b"<html" in p for p in pages) and took < (20 if SANITIZE else 4), took
        assert served.process.poll() is None
        for s in [*slow, taker]:
            s.close()
        assert b"<html" in served.page()


def many_at_once(folder):
    with Served(folder) as served:
        waiting = [served.slow() for _ in range(60)]  # more than it has room for
        got, threads = [], []
        for _ in range(12):
            threads.append(threading.Thread(target=lambda: got.append(served.page())))
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(got) == 12 and all(p == got[0] and b"<html" in p for p in got)
        for s in waiting:
            s.close()


def a_client_has_a_time(folder):
    """Who says nothing, or a letter now and then, is sent away."""
    with Served(folder) as served:
        silent, dripping = served.slow(), served.slow()
        silent.settimeout(15)
        begin = time.monotonic()
        for _ in range(4):
            dripping.sendall(b"x")
            time.sleep(1)
        assert silent.recv(10) == b"", "it is still listened to"
        took = time.monotonic() - begin
        dripping.settimeout(10)
        try:
            assert dripping.recv(10) == b""
        except ConnectionResetError:
            pass
        assert took < 12, took
        assert b"<html" in served.page()


def signals_end_it_at_once(folder):
    for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Served(folder) as served:
            slow = [served.slow() for _ in range(5)]
            took = served.end(which)
            assert took < (10 if SANITIZE else 2), (which, took)
            for s in slow:
                s.close()


main(slow_clients_delay_no_other, many_at_once, a_client_has_a_time, signals_end_it_at_once)
