// What of a run is drawn: a rod, a shaft that turns, or a body that tumbles, each as poses along a line.
import {directors} from './maths.js';
import {sectionOf} from './section.js';

function rodSubject(run) {
    const position = run.find('state/position'), orientation = run.find('state/orientation');
    if (!position?.along || !orientation?.along || position.rows !== orientation.rows) return null;
    const arc = run.find('state/arc_length');
    let fractions = position.fractions(false);
    let length = run.config?.length;
    if (arc?.along && arc.rows === position.rows) {
        const s = arc.frame(0);
        const end = s[s.length - 1] || 1;
        fractions = s.map((x) => x / end);
        length = length ?? end;
    }
    if (!(length > 0)) {
        // unknown: as long as the first chord
        const p = position.frame(0);
        length = 0;
        for (let i = 3; i < p.length; i += 3)
            length += Math.hypot(p[i] - p[i - 3], p[i + 1] - p[i - 2], p[i + 2] - p[i - 1]);
        length = length || 1;
    }
    return {sort: 'rod', length, fractions, nodes: position.rows, section: sectionOf(run.config, length),
        diagram: !!run.find('branch/branch'),
        poses: (frame, p, q) => {
            position.frame(frame, p);
            orientation.frame(frame, q);
        }};
}

// A square bar, so that turning shows.
function shaftSubject(run) {
    const angle = run.find('state/angle');
    if (!angle?.along) return null;
    const n = angle.rows, length = 1, half = length / 28;
    const section = sectionOf({section: {name: 'rectangle', width: 2 * half, height: 2 * half}}, length);
    const a = new Float64Array(angle.size), fractions = angle.fractions(false);
    return {sort: 'shaft', length, fractions, nodes: n, section,
        poses: (frame, p, q) => {
            angle.frame(frame, a);
            for (let i = 0; i < n; i++) {
                p[3 * i] = p[3 * i + 1] = 0;
                p[3 * i + 2] = length * fractions[i];
                q[4 * i] = Math.cos(a[i] / 2);
                q[4 * i + 1] = q[4 * i + 2] = 0;
                q[4 * i + 3] = Math.sin(a[i] / 2);
            }
        }};
}

// The box that has these moments of inertia: I1 = m/3 (b^2 + c^2) and so on.
function bodySubject(run) {
    const orientation = run.find('state/orientation');
    if (!orientation || orientation.along || orientation.size !== 4) return null;
    const I = run.config?.inertia ?? [1, 1, 1];
    const halves = [0, 1, 2].map((k) =>
        Math.sqrt(Math.max(I[(k + 1) % 3] + I[(k + 2) % 3] - I[k], 0.02 * Math.max(...I))));
    const most = Math.max(...halves), [a, b, c] = halves.map((h) => h / most / 2);
    const section = sectionOf({section: {name: 'rectangle', width: 2 * a, height: 2 * b}}, 1);
    const d = new Float64Array(9), one = new Float64Array(4);
    return {sort: 'body', length: 2 * c, fractions: Float64Array.of(0, 1), nodes: 2, section,
        poses: (frame, p, q) => {
            orientation.frame(frame, one);
            directors(d, 0, one, 0);
            for (let i = 0; i < 2; i++) {
                for (let k = 0; k < 3; k++) p[3 * i + k] = (i ? c : -c) * d[6 + k];
                for (let k = 0; k < 4; k++) q[4 * i + k] = one[k];
            }
        }};
}

const extents = {box: (s) => s.size, sphere: (s) => [2 * s.radius, 2 * s.radius, 2 * s.radius],
    cylinder: (s) => [2 * s.radius, 2 * s.radius, s.length],
    capsule: (s) => [2 * s.radius, 2 * s.radius, s.length + 2 * s.radius]};

// The rigid bodies of an assembly, as blocks of their extent.
export function bodiesOf(run) {
    return run.objects('centre').map((name) => {
        const shape = run.config?.bodies?.[name]?.shape, part = run.of(name);
        const size = extents[shape?.name]?.(shape) ?? [0.05, 0.05, 0.05];
        const centre = part.find('state/centre'), axes = part.find('state/axes'), q = new Float64Array(4);
        return {name, at: (position, colour) => {
            const frame = Math.min(Math.round(position), run.count - 1), d = new Float64Array(9);
            axes.frame(frame, q);
            directors(d, 0, q, 0);
            return {sort: 'block', at: Array.from(centre.frame(frame)), frame: Array.from(d), size, colour};
        }};
    });
}

export const subjectOf = (run) => rodSubject(run) || shaftSubject(run) || bodySubject(run);

// Poses between two frames: positions in a straight line, quaternions on the shorter way.
export class Poser {
    constructor(subject, run) {
        Object.assign(this, {subject, run});
        [this.p, this.p2] = [0, 1].map(() => new Float64Array(3 * subject.nodes));
        [this.q, this.q2] = [0, 1].map(() => new Float64Array(4 * subject.nodes));
    }

    at(position) {
        const {subject, run, p, q, p2, q2} = this, i = Math.min(Math.floor(position), run.count - 1), t = position - i;
        subject.poses(run.timed ? i : Math.round(position), p, q);
        if (!run.timed || t < 1e-6 || i + 1 >= run.count) return this;
        subject.poses(i + 1, p2, q2);
        for (let k = 0; k < p.length; k++) p[k] += t * (p2[k] - p[k]);
        for (let k = 0; k < q.length; k += 4) {
            const same = q[k] * q2[k] + q[k + 1] * q2[k + 1] + q[k + 2] * q2[k + 2] + q[k + 3] * q2[k + 3] < 0 ? -1 : 1;
            for (let c = 0; c < 4; c++) q[k + c] += t * (same * q2[k + c] - q[k + c]);
        }
        return this;
    }
}
