// Scalars along the rod to colour it by, and to plot: each with its unit and where its numbers lie.
import {between} from './maths.js';

const norm2 = (x, i) => Math.hypot(x[i], x[i + 1]);
const norm3 = (x, i) => Math.hypot(x[i], x[i + 1], x[i + 2]);

// [key, label, unit, signed, how to get it from a row that begins at i]
const ofStrain = [
    ['curvature', 'curvature', 'rad/m', false, (x, i) => norm2(x, i)],
    ['twist', 'twist κ3', 'rad/m', true, (x, i) => x[i + 2]],
];
const ofStretch = [
    ['stretch', 'stretch ν3 − 1', '', true, (x, i) => x[i + 2] - 1],
    ['shear', 'shear', '', false, (x, i) => norm2(x, i)],
];
const ofMoment = [
    ['bending', 'bending moment', 'N m', false, (x, i) => norm2(x, i)],
    ['torque', 'torque', 'N m', true, (x, i) => x[i + 2]],
    ['moment', 'moment', 'N m', false, (x, i) => norm3(x, i)],
];
const ofForce = [
    ['tension', 'tension', 'N', true, (x, i) => x[i + 2]],
    ['shear-force', 'shear force', 'N', false, (x, i) => norm2(x, i)],
];
const ofSpin = [['spin', 'angular velocity', 'rad/s', false, (x, i) => norm3(x, i)]];
const ofVelocity = [['speed', 'speed', 'm/s', false, (x, i) => norm3(x, i)]];

export class Quantity {
    constructor(key, label, unit, signed, channel, positions, of) {
        Object.assign(this, {key, label, unit, signed, channel, positions, of});
        this.scratch = new Float64Array(channel.size);
        this.numbers = new Float64Array(channel.rows);
        this.known = null;
        this.mayBeSigned = signed === null;
    }

    // The numbers at a frame, at `positions`.
    at(frame) {
        this.channel.frame(frame, this.scratch);
        for (let i = 0; i < this.numbers.length; i++)
            this.numbers[i] = this.of(this.scratch, i * this.channel.columns, i);
        return this.numbers;
    }

    // Least and largest of all frames (of some hundred, in a long run).
    range() {
        const count = this.channel.count;
        if (this.known?.count === count) return this.known.range;
        let low = Infinity, high = -Infinity;
        const stride = Math.max(1, Math.floor(count / 300));
        for (let f = 0; f < count; f += stride)
            for (const x of this.at(f)) {
                if (x < low) low = x;
                if (x > high) high = x;
            }
        // a component counts as signed where it has both signs
        if (this.mayBeSigned) this.signed = low < -0.02 * high && high > -0.02 * low;
        if (this.signed) {
            const most = Math.max(Math.abs(low), Math.abs(high));
            [low, high] = [-most, most];
        } else if (low > 0 && (low > 0.98 * high || low < 1e-6 * high)) {
            low = 0;
        }
        // what is constant but for rounding has no colours
        const flat = !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-300));
        this.known = {count, range: [low, high, flat]};
        return this.known.range;
    }

    // Interpolated at positions s along the rod, as a fraction of the range.
    levels(frame, s, out) {
        const [low, high, flat] = this.range(), numbers = this.at(frame);
        for (let i = 0; i < s.length; i++)
            out[i] = flat ? (this.signed ? 0.5 : 0) : (between(this.positions, numbers, s[i]) - low) / (high - low);
        return out;
    }
}

// The bending stress of the outermost fibre with that of the tension: |n3|/A + |m1| b/I1 + |m2| a/I2 (round: |m| r/I).
function stress(section, positions, moment, force) {
    const [a, b] = section.half, round = Math.abs(a - b) < 1e-12 * a;
    return (x, i, row) => {
        const [k] = section.sizeAt(positions[row]);
        const bend = round ? (Math.hypot(x[i + moment], x[i + moment + 1]) * a) / section.inertia[0]
            : (Math.abs(x[i + moment]) * b) / section.inertia[0]
            + (Math.abs(x[i + moment + 1]) * a) / section.inertia[1];
        return bend / k ** 3 + Math.abs(x[i + force + 2]) / section.area / k ** 2;
    };
}

export function quantitiesOf(run, section, length) {
    const list = [];
    const take = (path, offset, rows, part) => {
        const channel = run.find(path);
        if (!channel?.along || channel.columns < offset + 3) return;
        const positions = channel.fractions(part).map((x) => x * length);
        for (const [key, label, unit, signed, of] of rows)
            list.push(new Quantity(key, label, unit, signed, channel, positions, (x, i) => of(x, i + offset)));
    };
    take('state/strain', 0, ofStrain, true);
    take('state/curvature', 0, ofStrain, false);
    take('state/strain', 3, ofStretch, true);
    take('state/stretch', 0, ofStretch, false);
    take('state/wrench', 0, ofMoment, true);
    take('state/moment', 0, ofMoment, false);
    take('state/wrench', 3, ofForce, true);
    take('state/force', 0, ofForce, false);
    const wrench = run.find('state/wrench');
    if (section.area && wrench?.columns === 6) {
        const positions = wrench.fractions(true).map((x) => x * length);
        list.push(new Quantity('stress', 'largest axial stress', 'Pa', false, wrench, positions,
            stress(section, positions, 0, 3)));
    }
    take('state/velocity', 3, ofVelocity, false);
    take('state/velocity', 0, ofSpin, false);
    const nodes = run.find('state/position')?.all_rows;
    for (const channel of run.channels) {
        if (!channel.along || (channel.object ?? null) !== (run.object ?? null)
            || ['state/position', 'state/orientation', 'state/arc_length'].includes(channel.inside))
            continue;
        const perElement = nodes !== undefined && channel.all_rows === nodes - 1;
        const positions = channel.fractions(perElement).map((x) => x * length);
        for (let c = 0; c < channel.columns; c++)
            list.push(new Quantity(`${channel.inside}/${c}`, channel.columns > 1 ? `${channel.inside} ${c + 1}`
                : channel.inside,
                channel.unitOf(c), null, channel, positions, (x, i) => x[i + c]));
    }
    return list;
}
