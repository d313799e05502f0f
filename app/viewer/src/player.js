// Time: which frame is shown, and how it goes on.

export class Player {
    constructor(run, onChange) {
        this.run = run;
        this.onChange = onChange;
        this.position = 0;
        this.playing = false;
        this.loop = true;
        this.rate = 1; // of the axis for each second; frames for each second where the axis is no time
    }

    // Speeds to choose from: [rate, name]. The run should last about eight seconds at first.
    speeds() {
        if (!this.run.timed) return [1, 2, 5, 10, 25].map((r) => [r, `${r} a second`]);
        const list = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
        return list.map((r) => [r, r === 1 ? 'real time' : `× ${r}`]);
    }

    firstSpeed() {
        if (!this.run.timed) return this.run.count > 40 ? 10 : 2;
        const span = Math.abs(this.run.axis[this.run.count - 1] - this.run.axis[0]) || 1;
        return this.speeds().map(([r]) => r)
            .reduce((best, r) => (Math.abs(Math.log(span / r / 8)) < Math.abs(Math.log(span / best / 8)) ? r : best));
    }

    go(position) {
        this.position = Math.max(0, Math.min(this.run.count - 1, position));
        this.onChange();
    }

    play(on) {
        if (on && this.position >= this.run.count - 1 && !this.run.follow) this.position = 0;
        this.playing = on && this.run.count > 1;
        this.onChange();
    }

    // Goes on by `seconds`.
    advance(seconds) {
        if (!this.playing) return;
        const {run} = this, last = run.count - 1;
        let position = this.position;
        if (run.timed) {
            let left = seconds * this.rate;
            while (left > 0 && position < last) {
                const i = Math.min(Math.floor(position), last - 1), span = run.axis[i + 1] - run.axis[i];
                const here = span * (i + 1 - position);
                if (here > left) {
                    position += left / span;
                    left = 0;
                } else {
                    left -= here;
                    position = i + 1;
                }
            }
        } else {
            position += seconds * this.rate;
        }
        if (position >= last) {
            if (this.loop && !run.follow) position = 0;
            else {
                position = last;
                if (!run.follow) this.playing = false;
            }
        }
        this.go(position);
    }
}
