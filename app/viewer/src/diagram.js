// The diagram of a continuation: branches, stable ones solid, special points with their labels; a click shows the
// solution.
import {decodeFloats} from './data.js';
import {lineColours} from './colours.js';
import {readable} from './maths.js';
import {element} from './plots.js';

const sorts = ['', 'EP', 'LP', 'BP', 'UZ'];
const width = 360, height = 260, box = {left: 54, right: 10, top: 12, bottom: 34};
const svg = (name, about, parent) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [k, v] of Object.entries(about)) e.setAttribute(k, v);
    parent?.append(e);
    return e;
};

export class Diagram {
    constructor(parent, run, block, onPick, onMode) {
        Object.assign(this, {parent, run, onPick, onMode});
        this.branch = run.find('branch/branch').series(0);
        this.negative = run.find('branch/negative').series(0);
        const label = run.find('branch/label').series(0), number = run.find('branch/label_number').series(0);
        this.labels = Array.from(label, (l, i) => (sorts[l] ? `${sorts[l]}${number[i]}` : ''));
        this.theme = 'light';
        this.mode = -1;
        if (run.modes) this.shapes = decodeFloats(block('modes'));
        this.choices = run.channels.slice(1).filter((c) => !c.along && c.size <= 3 && c.group !== 'solver'
            && !['branch', 'parent', 'point', 'label', 'label_number', 'end', 'multiplicity', 'type', 'symmetries']
            .includes(c.name))
            .flatMap((c) => Array.from({length: c.size}, (_, i) =>
            ({name: c.size > 1 ? `${c.name} ${c.size === 3 ? 'xyz'[i] : i + 1}` : c.name, unit: c.unit, channel: c,
            component: i})));
        this.choice = Math.max(0, this.choices.findIndex((c) => c.name === 'thrust'));
        this.build();
    }

    build() {
        this.parent.hidden = false;
        this.parent.classList.add('diagram');
        const head = element('div', 'plot-head');
        const select = element('select');
        select.setAttribute('aria-label', 'Number against the parameter');
        this.choices.forEach((c, i) => {
            const option = element('option', '', c.unit === '1' ? c.name.replaceAll('_', ' ')
                : `${c.name.replaceAll('_', ' ')} / ${c.unit}`);
            option.value = String(i);
            select.append(option);
        });
        select.value = String(this.choice);
        select.addEventListener('change', () => {
            this.choice = Number(select.value);
            this.draw();
        });
        head.append(element('h2', '', 'Diagram'), select);
        this.plotArea = element('div', 'hit');
        this.plotArea.id = 'diagram-plot';
        this.note = element('div');
        this.note.id = 'solution';
        this.modes = element('div', 'modes');
        this.modes.setAttribute('role', 'group');
        this.modes.setAttribute('aria-label', 'Modes');
        this.parent.append(head, this.plotArea, this.note, this.modes);
        this.plotArea.addEventListener('pointerdown', (e) => this.pickAt(e));
    }

    pickAt(e) {
        const frame = this.plotArea.getBoundingClientRect();
        const x = ((e.clientX - frame.left) / frame.width) * width,
            y = ((e.clientY - frame.top) / frame.height) * height;
        let best = 0, near = Infinity;
        for (let i = 0; i < this.px.length; i++) {
            const bonus = this.labels[i] ? 0.7 : 1;
            const d = Math.hypot(this.px[i] - x, this.py[i] - y) * bonus;
            if (d < near) [best, near] = [i, d];
        }
        this.onPick(best);
    }

    setTheme(theme) {
        this.theme = theme;
        this.draw();
    }

    draw() {
        const {run} = this, {channel, component} = this.choices[this.choice], ys = channel.series(component),
            xs = run.axis;
        const span = (v) => {
            let [low, high] = [Math.min(...v), Math.max(...v)];
            if (!(high > low)) [low, high] = [low - 0.5 * (Math.abs(low) || 1), low + 0.5 * (Math.abs(low) || 1)];
            const pad = (high - low) * 0.05;
            return [low - pad, high + pad];
        };
        const [x0, x1] = span(xs), [y0, y1] = span(ys);
        this.px = Array.from(xs, (x) => box.left + ((x - x0) / (x1 - x0)) * (width - box.left - box.right));
        this.py = Array.from(ys, (y) => height - box.bottom - ((y - y0) / (y1 - y0)) * (height - box.top - box.bottom));
        const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img',
            'aria-label': 'Branches of equilibria against the parameter'});
        for (let i = 0; i <= 4; i++) {
            const x = box.left + (i / 4) * (width - box.left - box.right),
                y = height - box.bottom - (i / 4) * (height - box.top - box.bottom);
            svg('line', {class: 'grid', x1: x, x2: x, y1: box.top, y2: height - box.bottom}, root);
            svg('line', {class: 'grid', x1: box.left, x2: width - box.right, y1: y, y2: y}, root);
            svg('text', {class: 'tick', x, y: height - box.bottom + 13, 'text-anchor': 'middle'}, root)
                .textContent = readable(x0 + (i / 4) * (x1 - x0), 3);
            svg('text', {class: 'tick', x: box.left - 4, y: y + 3, 'text-anchor': 'end'}, root)
                .textContent = readable(y0 + (i / 4) * (y1 - y0), 3);
        }
        svg('text', {x: (box.left + width - box.right) / 2, y: height - 4, 'text-anchor': 'middle'}, root)
            .textContent = run.channels[0].name;
        const colours = lineColours[this.theme];
        for (let i = 0; i + 1 < run.count; i++) {
            if (this.branch[i] !== this.branch[i + 1]) continue;
            const n = Math.max(this.negative[i], this.negative[i + 1]);
            svg('line', {x1: this.px[i], y1: this.py[i], x2: this.px[i + 1], y2: this.py[i + 1],
                stroke: colours[this.branch[i] % colours.length],
                'stroke-width': n === 0 ? 2.6 : 1.4, 'stroke-dasharray': n === 0 ? 'none' : n < 0 ? '1 3' : '4 3',
                'stroke-linecap': 'butt'}, root);
        }
        const taken = [];
        this.labels.forEach((label, i) => {
            if (!label) return;
            svg('circle', {cx: this.px[i], cy: this.py[i], r: 2.8, fill: 'var(--card)',
                stroke: colours[this.branch[i] % colours.length], 'stroke-width': 1.5}, root);
            if (label.startsWith('EP') || taken.some((t) => t.label === label)) return;
            // beside the point, where no other label is yet
            for (const [dx, dy] of [[5, -5], [5, 12], [-5, -5], [-5, 12], [5, -17], [-5, 24]]) {
                const w = 7 * label.length, x = this.px[i] + dx - (dx < 0 ? w : 0), y = this.py[i] + dy;
                const free = x > box.left && x + w < width && y > 8 && y < height - box.bottom
                    && taken.every((t) => x > t.x + t.w || x + w < t.x || Math.abs(y - t.y) > 11);
                if (!free) continue;
                taken.push({x, y, w, label});
                svg('text', {x, y}, root).textContent = label;
                break;
            }
        });
        this.dot = svg('circle', {r: 6, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 3, id: 'diagram-dot'},
            root);
        this.plotArea.replaceChildren(root);
        if (this.frame !== undefined) this.show(this.frame, true);
    }

    show(frame, again) {
        if (!this.px) this.draw();
        this.dot.setAttribute('cx', this.px[frame]);
        this.dot.setAttribute('cy', this.py[frame]);
        if (frame === this.frame && !again) return;
        this.frame = frame;
        const n = this.negative[frame], {run} = this;
        const badge = element('span', 'badge', n === 0 ? 'stable' : n < 0 ? 'stability not known'
            : `unstable, ${n} direction${n > 1 ? 's' : ''}`);
        const text = `${this.labels[frame] ? `${this.labels[frame]}: ` : ''}branch ${this.branch[frame]}, `
            + `${run.channels[0].name} = ${readable(run.axis[frame])}  `;
        this.note.replaceChildren(element('span', '', text), badge);
        this.modes.replaceChildren();
        const values = run.modes?.[frame];
        if (!values) {
            if (this.mode >= 0) this.onMode((this.mode = -1));
            this.modes.append(element('span', 'quiet', run.modes ? 'No modes for this solution.'
                : 'Modes need a section with mass.'));
            return;
        }
        values.forEach((value, m) => {
            const rate = Math.sqrt(Math.abs(value));
            const name = value >= 0 ? `mode ${m + 1}: ${readable(rate / (2 * Math.PI), 3)} Hz`
                : `mode ${m + 1}: grows in ${readable(1 / rate, 3)} s`;
            const button = element('button', '', name);
            button.type = 'button';
            button.setAttribute('aria-pressed', String(m === this.mode));
            button.addEventListener('click', () => {
                this.mode = m === this.mode ? -1 : m;
                [...this.modes.children].forEach((b, i) => b.setAttribute('aria-pressed', String(i === this.mode)));
                this.onMode(this.mode);
            });
            this.modes.append(button);
        });
    }

    // Turn and displacement of the nodes in the mode that is shown, 6 numbers a node; null without.
    motion(frame, nodes) {
        if (this.mode < 0 || !this.run.modes?.[frame]) return null;
        const from = (frame * this.run.mode_count + this.mode) * nodes * 6;
        return this.shapes.subarray(from, from + nodes * 6);
    }
}
