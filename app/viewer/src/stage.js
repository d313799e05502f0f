// Where everything happens: the room that the run takes, what is up, and from where to look.
import {add, cross, dot, scale, sub, unit} from './maths.js';
import {gravityOf} from './things.js';

// `posers`: of all rods; `bodies`: what is drawn of rigid bodies.
export function stageOf(run, subject, posers, bodies) {
    const points = [];
    const stride = Math.max(1, Math.floor(run.count / 120));
    for (const poser of posers) {
        const {nodes} = poser.subject, every = Math.max(1, Math.floor(nodes / 24)), last = 3 * (nodes - 1);
        for (let f = 0; f < run.count; f += stride) {
            const {p} = poser.at(f);
            for (let i = 0; i < nodes; i += every) points.push(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
            points.push(p[last], p[last + 1], p[last + 2]);
        }
    }
    for (const body of bodies)
        for (let f = 0; f < run.count; f += stride) {
            const {at, frame, size: long} = body.at(f);
            for (let corner = 0; corner < 8; corner++)
                points.push(...[0, 1, 2].map((c) => [0, 1, 2].reduce((sum, k) =>
                    sum + (corner >> k & 1 ? 0.5 : -0.5) * long[k] * frame[3 * k + c], at[c])));
        }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
        low[i % 3] = Math.min(low[i % 3], points[i]);
        high[i % 3] = Math.max(high[i % 3], points[i]);
    }
    const middle = scale(add(low, high), 0.5);
    const thick = Math.max(...subject.section.half);
    const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 4 * thick, 1e-12);
    const gravity = gravityOf(run.config);
    const up = gravity ? unit(scale(gravity, -1)) : [1, 0, 0];
    // the horizontal direction in which most happens goes across the picture
    const a = unit(sub([0, 0, 1], scale(up, dot([0, 0, 1], up)))), helper = Math.abs(dot([0, 0, 1], up)) > 0.99
        ? unit(cross(up, [0, 1, 0])) : a;
    const b = cross(up, helper);
    let [aa, ab, bb] = [0, 0, 0];
    for (let i = 0; i < points.length; i += 3) {
        const d = [points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]], x = dot(d, helper),
            y = dot(d, b);
        aa += x * x;
        ab += x * y;
        bb += y * y;
    }
    const angle = 0.5 * Math.atan2(2 * ab, aa - bb);
    let wide = add(scale(helper, Math.cos(angle)), b, Math.sin(angle));
    if (dot(wide, helper) < 0) wide = scale(wide, -1);
    const front = cross(wide, up);
    let lowest = 0;
    for (let i = 0; i < points.length; i += 3)
        lowest = Math.max(lowest, -dot(sub(points.slice(i, i + 3), middle), up));
    return {points: Float32Array.from(points), low, high, middle, extent, up, right: wide, front, gravity,
        floor: lowest + thick + 0.1 * extent};
}
