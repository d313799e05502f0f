// The cross-section as the scenario has it: its outline across d1 and d2, and its size along the rod.
import {between, readable} from './maths.js';

const around = 28;

function ellipse(a, b) {
    const points = [];
    for (let i = 0; i < around; i++) {
        const t = (2 * Math.PI * i) / around, c = Math.cos(t), s = Math.sin(t), n = Math.hypot(c / a, s / b);
        points.push([a * c, b * s, c / a / n, s / b / n]);
    }
    // every point is shared by two faces
    return {points, faces: points.map((_, i) => [i, (i + 1) % around])};
}

function rectangle(w, h) {
    const corner = [[w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2], [-w / 2, -h / 2]];
    const normal = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    const points = [], faces = [];
    for (let i = 0; i < 4; i++) {
        points.push([...corner[i], ...normal[i]], [...corner[(i + 1) % 4], ...normal[i]]);
        faces.push([2 * i, 2 * i + 1]);
    }
    return {points, faces};
}

// (a, b): half-widths along d1 and d2 for what bends like this
const fromRigidities = (EI1, EI2, EA) => [2 * Math.sqrt(EI2 / EA), 2 * Math.sqrt(EI1 / EA)];

export function sectionOf(config, length) {
    const s = config?.section;
    const m = (x) => `${readable(x, 3)} m`;
    let outline, text, half, known = true;
    let area = null, inertia = null; // for stresses: A, I about d1 and d2
    if (s?.name === 'circle' || s?.name === 'tube') {
        half = [s.radius, s.radius];
        const inner = s.name === 'tube' ? s.radius - s.wall : 0;
        area = Math.PI * (s.radius ** 2 - inner ** 2);
        inertia = [1, 1].map(() => (Math.PI / 4) * (s.radius ** 4 - inner ** 4));
        text = s.name === 'tube' ? `tube, radius ${m(s.radius)}, wall ${m(s.wall)}` : `circle, radius ${m(s.radius)}`;
    } else if (s?.name === 'rectangle') {
        half = [s.width / 2, s.height / 2];
        outline = rectangle(s.width, s.height);
        area = s.width * s.height;
        inertia = [(s.width * s.height ** 3) / 12, (s.height * s.width ** 3) / 12];
        text = `rectangle, ${m(s.width)} × ${m(s.height)}`;
    } else if (s?.name === 'ellipse') {
        half = [s.a, s.b];
        area = Math.PI * s.a * s.b;
        inertia = [(Math.PI / 4) * s.a * s.b ** 3, (Math.PI / 4) * s.b * s.a ** 3];
        text = `ellipse, half axes ${m(s.a)} and ${m(s.b)}`;
    } else if (s?.name === 'rigidities' && s.diameter > 0) {
        half = [s.diameter / 2, s.diameter / 2];
        text = `by its rigidities; drawn with its diameter, ${m(s.diameter)}`;
    } else if (s?.EA > 0 && s.EI1 > 0 && s.EI2 > 0) {
        half = fromRigidities(s.EI1, s.EI2, s.EA);
        text = 'by its rigidities; drawn as the solid ellipse that has them';
    } else {
        half = [length / 120, length / 120];
        known = false;
        text = 'not known; drawn as a circle';
    }
    outline = outline || ellipse(half[0], half[1]);
    let sizeAt = () => [1, 1];
    if (config?.taper?.length) {
        const at = config.taper.map((r) => r[0]), factor = config.taper.map((r) => r[1]);
        sizeAt = (x) => {
            const k = between(at, factor, x);
            return [k, k];
        };
        text += ', tapered';
    } else if (config?.stations?.length) {
        const at = config.stations.map((r) => r[0]);
        const sizes = config.stations.map((r) => fromRigidities(r[1], r[2], r[6]));
        const [a, b] = [0, 1].map((k) => sizes.map((x) => x[k] / half[k]));
        sizeAt = (x) => [between(at, a, x), between(at, b, x)];
        text += ', different along the rod';
    }
    return {outline, half, sizeAt, text, known, area, inertia};
}
