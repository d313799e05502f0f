// Plots against time (or what else the axis is) and along the rod, linked to the moment that is shown.
import {lineColours, lineDashes} from './colours.js';
import {readable} from './maths.js';

const xyz = ['x', 'y', 'z'];
export const element = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
};

// A card with a heading, a plot and a key that shows the numbers at the moment.
class PlotCard {
    constructor(Plot, parent, {title, unit, xLabel, labels, onPick, chooser}) {
        this.card = element('section', 'card');
        const head = element('div', 'plot-head');
        head.append(element('h2', '', unit ? `${title} / ${unit}` : title));
        if (chooser) head.append(chooser);
        this.plotArea = element('div', 'plot');
        this.key = element('div', 'key');
        this.card.append(head, this.plotArea, this.key);
        parent.append(this.card);
        this.labels = labels;
        this.plot = new Plot(this.plotArea, {xLabel, series: labels, height: 150, onPick});
        this.values = labels.map((label, i) => {
            const item = element('span');
            const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
            const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
            for (const [k, v] of Object.entries({width: 22, height: 8, 'aria-hidden': 'true'})) svg.setAttribute(k, v);
            for (const [k, v] of Object.entries({x1: 0, y1: 4, x2: 22, y2: 4, 'stroke-width': 2,
                'stroke-dasharray': lineDashes[i % lineDashes.length].join(' ') || 'none'}))
                line.setAttribute(k, v);
            svg.append(line);
            const value = element('span');
            item.append(svg, element('span', '', label), value);
            this.key.append(item);
            return {line, value};
        });
    }

    setTheme(theme) {
        this.values.forEach(({line}, i) =>
            line.setAttribute('stroke', lineColours[theme][i % lineColours[theme].length]));
        this.plot.setTheme(theme);
    }

    resize() {
        const width = Math.floor(this.plotArea.clientWidth);
        if (width > 40) this.plot.resize(width);
    }

    show(numbers) {
        this.values.forEach(({value}, i) => {
            value.textContent = numbers[i] === undefined ? '' : readable(numbers[i]);
        });
    }
}

const componentNames = (channel) => {
    if (channel.size === 1) return [channel.name];
    if (channel.size === 3) return xyz.map((c) => `${c}`);
    return Array.from({length: Math.min(channel.size, 6)}, (_, i) => `${channel.name} ${i + 1}`);
};

const withUnit = (name, unit) => (unit && unit !== '1' ? `${name} / ${unit}` : name);

// What is drawn against the axis: cards of curves that share a unit. Curves that are zero throughout are left out.
function timeCards(run) {
    const cards = [];
    const curves = (paths) => paths.map((p) => run.find(p)).filter((c) => c && !c.along && c.size === 1)
        .map((c) => ({label: c.name.replaceAll('_', ' '), y: () => c.series(0), unit: c.unit}))
        .filter((curve) => curve.y().some((v) => v !== 0));
    const energies = curves(['energy/kinetic', 'energy/strain_energy', 'energy/gravity', 'energy/dissipated',
        'energy/numerical_dissipation', 'energy/work', 'energy/kinetic_energy', 'energy/potential_energy',
        'invariants/energy']);
    if (energies.length) cards.push({title: 'Energy', unit: 'J', curves: energies});
    const vectorCard = (path, title) => {
        const c = run.find(path);
        if (!c || c.along || c.size > 6) return;
        const names = componentNames(c);
        cards.push({title, unit: c.unit === '1' ? '' : c.unit,
            curves: names.map((label, i) => ({label, y: () => c.series(i)}))
            .filter((curve) => curve.y().some((v) => v !== 0))});
    };
    vectorCard('state/tip', 'Tip');
    vectorCard('ends/left_force', 'Force at s = 0');
    vectorCard('ends/left_moment', 'Moment at s = 0');
    vectorCard('state/angular_velocity', 'Angular velocity');
    vectorCard('ends/end_speed', 'Speed of the ends');
    const balance = run.find('invariants/balance');
    const kept = balance || run.find('energy/energy') || run.find('invariants/energy');
    if (kept && run.timed) {
        const y = () => {
            const v = kept.series(0);
            return v.map((x) => x - v[0]);
        };
        // what is but rounding is told in words, among the facts
        const size = (list, from) => list.reduce((most, v) => Math.max(most, Math.abs(v)), from);
        const largest = energies.reduce((most, e) => size(e.y(), most), balance ? 0 : size(kept.series(0), 0));
        if (y().some((v) => Math.abs(v) > 1e-11 * largest))
            cards.push({title: balance ? 'Change of the energy balance' : 'Change of the energy', unit: kept.unit,
            curves: [{label: 'since the start', y}]});
    }
    return cards.filter((card) => card.curves.length);
}

// What is drawn along the rod at the moment.
function alongCards(run, subject) {
    const cards = [];
    const table = (path, offset, title, between) => {
        const c = run.find(path);
        if (!c?.along || c.columns < offset + 3) return;
        const x = c.fractions(between).map((f) => f * subject.length), scratch = new Float64Array(c.size);
        cards.push({title, unit: c.unitOf(offset), x, xLabel: 's / m', labels: ['1', '2', '3'], range: null,
            at: (frame) => {
                c.frame(frame, scratch);
                return [0, 1, 2].map((k) => Float64Array.from(x, (_, i) => scratch[i * c.columns + offset + k]));
            }, count: () => c.count});
    };
    table('state/wrench', 0, 'Moment along s', true);
    table('state/wrench', 3, 'Force along s', true);
    table('state/moment', 0, 'Moment along s', false);
    table('state/force', 0, 'Force along s', false);
    const angle = run.find('state/angle');
    if (angle?.along) {
        const x = angle.fractions(false), scratch = new Float64Array(angle.size);
        cards.push({title: 'Twist along the shaft', unit: 'rad', x, xLabel: 'along the shaft',
            labels: ['angle − first'], range: null,
            count: () => angle.count,
            at: (frame) => {
                angle.frame(frame, scratch);
                return [Float64Array.from(scratch, (v) => v - scratch[0])];
            }});
    }
    return cards;
}

export class Plots {
    constructor(Plot, parent, run, subject, onPick) {
        Object.assign(this, {Plot, parent, run, subject, onPick});
        this.theme = 'light';
        this.build();
    }

    build() {
        this.parent.replaceChildren();
        const {run} = this, axis = run.channels[0];
        const xLabel = withUnit(axis.name, axis.unit);
        this.time = [];
        this.along = [];
        if (run.count > 1 && !this.subject.diagram)
            for (const about of timeCards(run)) this.time.push(this.timeCard(about, xLabel));
        for (const about of alongCards(run, this.subject)) {
            const card = new PlotCard(this.Plot, this.parent, about);
            this.along.push({about, card});
        }
        this.chooser(xLabel);
        this.watch?.disconnect();
        this.watch = new ResizeObserver(() => this.resize());
        this.watch.observe(this.parent);
    }

    timeCard(about, xLabel, chooser) {
        const card = new PlotCard(this.Plot, this.parent,
            {...about, xLabel, labels: about.curves.map((c) => c.label), chooser,
            onPick: (x) => this.onPick(this.run.nearest(x))});
        const entry = {about, card, ys: about.curves.map((c) => c.y())};
        card.plot.setData(Array.from(this.run.axis), entry.ys.map((y) => Array.from(y)));
        return entry;
    }

    // Any other channel.
    chooser(xLabel) {
        const {run} = this;
        const channels = run.channels.slice(1).filter((c) => !c.along && c.size <= 6);
        if (run.count < 2 || !channels.length || this.subject.diagram) return;
        const select = element('select');
        select.setAttribute('aria-label', 'Channel to plot');
        select.id = 'any-channel';
        channels.forEach((c, i) => {
            const option = element('option', '', c.path);
            option.value = String(i);
            select.append(option);
        });
        const about = (c) => ({title: 'Channel', unit: c.unit === '1' ? '' : c.unit,
            curves: componentNames(c).map((label, i) => ({label, y: () => c.series(i)}))});
        const preferred = channels.findIndex((c) => c.path.startsWith('momentum/') || c.path.startsWith('solver/'));
        select.value = String(Math.max(0, preferred));
        let entry = this.timeCard(about(channels[Number(select.value)]), xLabel, select);
        this.time.push(entry);
        select.addEventListener('change', () => {
            const next = this.timeCard(about(channels[Number(select.value)]), xLabel, select);
            entry.card.card.replaceWith(next.card.card);
            this.time[this.time.indexOf(entry)] = next;
            entry = next;
            next.card.setTheme(this.theme);
            next.card.resize();
            this.show(this.position);
            select.focus();
        });
    }

    // New frames came.
    refresh() {
        for (const entry of this.time) {
            entry.ys = entry.about.curves.map((c) => c.y());
            entry.card.plot.setData(Array.from(this.run.axis), entry.ys.map((y) => Array.from(y)));
        }
        for (const {about} of this.along) about.range = null;
    }

    setTheme(theme) {
        this.theme = theme;
        for (const {card} of [...this.time, ...this.along]) card.setTheme(theme);
    }

    resize() {
        for (const {card} of [...this.time, ...this.along]) card.resize();
    }

    rangeOf(about) {
        if (about.range) return about.range;
        let low = Infinity, high = -Infinity;
        const count = about.count(), stride = Math.max(1, Math.floor(count / 200));
        for (let f = 0; f < count; f += stride)
            for (const y of about.at(f))
                for (const v of y) {
                    if (v < low) low = v;
                    if (v > high) high = v;
                }
        about.range = [low, high];
        return about.range;
    }

    show(position) {
        this.position = position;
        const frame = Math.round(position), x = this.run.at(position);
        for (const {card, ys} of this.time) {
            card.plot.setCursor(x);
            card.show(ys.map((y) => y[Math.min(frame, y.length - 1)]));
        }
        if (frame === this.shownFrame && this.shownCount === this.run.count) return;
        this.shownFrame = frame;
        this.shownCount = this.run.count;
        for (const {about, card} of this.along) {
            card.plot.setRange(this.rangeOf(about));
            card.plot.setData(Array.from(about.x), about.at(frame).map((y) => Array.from(y)));
        }
    }
}
