// Plots on a plain canvas, for the viewer without packages.
import {lineColours, lineDashes} from './colours.js';
import {readable} from './maths.js';

// Round places for ticks.
function ticks(low, high, count) {
    const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw);
    const out = [];
    for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step)
        out.push(Math.abs(x) < step * 1e-9 ? 0 : x);
    return out;
}

export class PlotPlain {
    constructor(parent, options) {
        this.options = options;
        this.canvas = document.createElement('canvas');
        parent.append(this.canvas);
        this.data = null;
        this.cursor = null;
        this.theme = 'light';
        const pickAt = (e) => {
            if (!this.data || !options.onPick) return;
            const box = this.canvas.getBoundingClientRect(), [low, high] = this.xRange();
            options.onPick(low + ((e.clientX - box.left - 52) / (box.width - 60)) * (high - low));
        };
        this.canvas.addEventListener('pointerdown', pickAt);
        this.canvas.addEventListener('pointermove', (e) => e.buttons && pickAt(e));
    }

    xRange() {
        let low = Infinity, high = -Infinity;
        for (const v of this.data.x) {
            low = Math.min(low, v);
            high = Math.max(high, v);
        }
        return low < high ? [low, high] : [low - 0.5, high + 0.5];
    }

    setData(x, ys) {
        this.data = {x, ys};
        this.draw();
    }

    setRange(range) {
        this.range = range;
    }

    setCursor(x) {
        this.cursor = x;
        this.draw();
    }

    setTheme(theme) {
        this.theme = theme;
        this.draw();
    }

    resize(width) {
        this.width = width;
        this.draw();
    }

    draw() {
        if (!this.data || !this.width) return;
        const {width} = this, {height} = this.options, ratio = globalThis.devicePixelRatio || 1,
            c = this.canvas.getContext('2d');
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
        c.scale(ratio, ratio);
        const style = getComputedStyle(document.documentElement);
        const [ink, line] = ['--quiet', '--line'].map((name) => style.getPropertyValue(name).trim());
        let [low, high] = this.range || [Infinity, -Infinity];
        if (!this.range)
            for (const y of this.data.ys)
                for (const v of y) {
                    if (v < low) low = v;
                    if (v > high) high = v;
                }
        if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1) * 0.5, low + (Math.abs(low) || 1) * 0.5];
        const [left, right] = this.xRange(), pad = (high - low) * 0.06;
        const X = (x) => 52 + ((x - left) / (right - left)) * (width - 60),
            Y = (y) => height - 30 - ((y - low + pad) / (high - low + 2 * pad)) * (height - 38);
        c.font = '11px system-ui, sans-serif';
        c.fillStyle = ink;
        c.strokeStyle = line;
        c.textAlign = 'right';
        for (const y of ticks(low - pad, high + pad, 4)) {
            c.beginPath();
            c.moveTo(52, Y(y));
            c.lineTo(width - 8, Y(y));
            c.stroke();
            c.fillText(readable(y, 3), 48, Y(y) + 4);
        }
        c.textAlign = 'center';
        for (const x of ticks(left, right, 5)) c.fillText(readable(x, 3), X(x), height - 16);
        c.fillText(this.options.xLabel, 52 + (width - 60) / 2, height - 2);
        this.data.ys.forEach((y, k) => {
            c.strokeStyle = lineColours[this.theme][k % lineColours[this.theme].length];
            c.setLineDash(lineDashes[k % lineDashes.length]);
            c.lineWidth = 1.6;
            c.beginPath();
            const stride = Math.max(1, Math.floor(y.length / 2000));
            for (let i = 0; i < y.length; i += stride) c.lineTo(X(this.data.x[i]), Y(y[i]));
            c.stroke();
        });
        c.setLineDash([]);
        if (this.cursor === null) return;
        c.strokeStyle = ink;
        c.beginPath();
        c.moveTo(X(this.cursor), 8);
        c.lineTo(X(this.cursor), height - 30);
        c.stroke();
    }
}
