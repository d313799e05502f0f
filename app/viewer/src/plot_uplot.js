// Plots through uPlot.
import uPlot from 'uplot';
import {lineColours, lineDashes} from './colours.js';
import {readable} from './maths.js';

export class PlotUplot {
    constructor(parent, options) {
        this.parent = parent;
        this.options = options;
        this.theme = 'light';
        this.cursor = null;
        this.range = null;
    }

    make() {
        this.plot?.destroy();
        const style = getComputedStyle(document.documentElement);
        const [ink, line] = ['--quiet', '--line'].map((name) => style.getPropertyValue(name).trim());
        const font = '11px system-ui, sans-serif', {options} = this;
        const axis = {stroke: ink, font, labelFont: font, grid: {stroke: line, width: 1},
            ticks: {stroke: line, width: 1, size: 4}};
        const colours = lineColours[this.theme];
        this.plot = new uPlot({
            width: this.width, height: options.height, legend: {show: false}, padding: [8, 8, 0, 0],
            cursor: {y: false, points: {show: false}, drag: {x: false, y: false}},
            scales: {x: {time: false}, y: {range: (u, low, high) => this.rangeOf(low, high)}},
            axes: [{...axis, size: 26, label: options.xLabel, labelSize: 15, labelGap: 0,
            values: (u, v) => v.map((x) => readable(x, 4))},
                {...axis, size: 60, space: 26, values: (u, v) => v.map((x) => readable(x, 3))}],
            series: [{}, ...options.series.map((label, i) => ({label, stroke: colours[i % colours.length], width: 1.6,
                dash: lineDashes[i % lineDashes.length], points: {show: false}}))],
            hooks: {draw: [(u) => this.mark(u, ink)], ready: [(u) => this.listen(u)]},
        }, this.data, this.parent);
    }

    rangeOf(low, high) {
        if (this.range) [low, high] = this.range;
        if (!(high > low)) [low, high] = [low - (Math.abs(low) || 1) * 0.5, low + (Math.abs(low) || 1) * 0.5];
        const pad = (high - low) * 0.06;
        return [low - pad, high + pad];
    }

    // A click or a drag chooses the moment.
    listen(u) {
        if (!this.options.onPick) return;
        const pickAt = (e) => {
            const box = u.over.getBoundingClientRect();
            this.options.onPick(u.posToVal(Math.max(0, Math.min(e.clientX - box.left, box.width)), 'x'));
        };
        u.over.addEventListener('pointerdown', (e) => {
            u.over.setPointerCapture(e.pointerId);
            pickAt(e);
        });
        u.over.addEventListener('pointermove', (e) => e.buttons && pickAt(e));
    }

    mark(u, ink) {
        if (this.cursor === null) return;
        const x = Math.round(u.valToPos(this.cursor, 'x', true)), {ctx, bbox} = u;
        ctx.save();
        ctx.strokeStyle = ink;
        ctx.setLineDash([]);
        ctx.lineWidth = devicePixelRatio;
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.restore();
    }

    setData(x, ys) {
        this.data = [x, ...ys];
        if (!this.plot && this.width) this.make();
        else this.plot?.setData(this.data);
    }

    setRange(range) {
        this.range = range;
    }

    setCursor(x) {
        this.cursor = x;
        this.plot?.redraw(false);
    }

    setTheme(theme) {
        this.theme = theme;
        if (this.plot) this.make();
    }

    resize(width) {
        if (width === this.width) return;
        this.width = width;
        if (this.plot) this.plot.setSize({width, height: this.options.height});
        else if (this.data) this.make();
    }
}
