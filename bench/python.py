"""What a call from Python costs beside the work: push, step, read, on the rod of the tutorials. CPU time; the lowest of several rounds."""
import time

import withy

ROUNDS, CALLS = 9, 2000


def cost(work):
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best / CALLS * 1e6


def rod(elements):
    return withy.Rod(length=0.1, elements=elements, section=withy.circle(radius=0.005, E=1e6, nu=0.5, density=1000.0), method="velocity-strain")


def main():
    m = rod(20).motion(step=1e-3)
    x, f = m.position, (0.0, 1e-4, 0.0)

    def nothing():
        for _ in range(CALLS):
            pass

    def push():
        for _ in range(CALLS):
            m.push(f)

    def read():
        for _ in range(CALLS):
            x[-1, 0]

    def no_step():
        for _ in range(CALLS):
            m.step(0)

    loop = cost(nothing)
    print("us for each call, above the loop itself (20 elements)")
    for name, work in (("push(force)", push), ("read x[-1, 0]", read), ("step(0): the call and the positions brought up to date", no_step)):
        print(f"  {cost(work) - loop:8.3f}  {name}")

    def loop_in_python():
        for _ in range(CALLS):
            m.push(f)
            m.step()
            x[-1, 0]

    a, b = cost(loop_in_python), cost(lambda: m.step(CALLS))
    print(f"  {a:8.3f}  push, step, read in a loop of Python")
    print(f"  {b:8.3f}  the same steps by one call; overhead {(a - b) / 3:.3f} us for each of the three calls")


main()
