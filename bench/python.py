"""What a call from Python costs beside the work: push, step, read, on the rod of the tutorials. CPU time; the lowest of
several rounds."""
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
    return withy.Rod(length=0.1, elements=elements, section=withy.circle(radius=0.005, E=1e6, nu=0.5, density=1000.0))


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
    for name, work in (("push(force)", push), ("read x[-1, 0]", read),
                       ("step(0): the call and the positions brought up to date", no_step)):
        print(f"  {cost(work) - loop:8.3f}  {name}")

    def loop_in_python():
        for _ in range(CALLS):
            m.push(f)
            m.step()
            x[-1, 0]

    a, b = cost(loop_in_python), cost(lambda: m.step(CALLS))
    print(f"  {a:8.3f}  push, step, read in a loop of Python")
    print(f"  {b:8.3f}  the same steps by one call; overhead {(a - b) / 3:.3f} us for each of the three calls")
    control()
    batches()


def control():
    """A controller at 1 kHz on 20 elements, with the method that is the default: how much of each millisecond is
    left."""
    m = rod(20).replace(method=None, loads=[withy.gravity((-9.81, 0, 0))]).motion(step=1e-3)
    x, last = m.position, m.position[-1].copy()
    times = []
    for _ in range(2000):
        began = time.perf_counter()
        m.push(-0.05 * (x[-1] - last) / 1e-3)
        last = x[-1].copy()
        m.step()
        times.append(time.perf_counter() - began)
    times.sort()
    print(f"a loop at 1 kHz, 20 elements of the default method, wall clock: a pass takes "
          f"{1e6 * times[len(times) // 2]:.0f} us, 99 of 100 less than {1e6 * times[len(times) * 99 // 100]:.0f} us, "
          f"the longest {1e6 * times[-1]:.0f} us")


def batches():
    """What stepping many states at once saves over a loop, on one thread and on all cores."""
    count, steps = 64, 20
    motions = [rod(20).motion(step=1e-3) for _ in range(count)]
    began = time.perf_counter()
    for _ in range(steps):
        for m in motions:
            m.step()
    alone = time.perf_counter() - began
    print(f"{count} rods, {steps} steps: us for a step of a rod, wall clock\n  {alone / count / steps * 1e6:8.3f}  a "
          f"motion each, in a loop of Python")
    for threads in (1, 2):
        with rod(20).batch(count, step=1e-3, threads=threads) as batch:
            batch.position
            began = time.perf_counter()
            batch.step(steps)
            took = time.perf_counter() - began
        print(f"  {took / count / steps * 1e6:8.3f}  a batch on {threads} thread{'s' if threads > 1 else ''}")


main()
