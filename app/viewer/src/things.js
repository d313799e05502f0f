// What holds and loads the rod, from the scenario: as shapes to draw, and in words.
import {across, add, cross, dot, readable, scale, size, unit} from './maths.js';

const vector = (v) => `(${v.map((x) => readable(x, 3)).join(', ')})`;

// The value of a function of time at a frame; 1 where there is none.
function amplitude(signal, frame) {
    if (!signal?.values?.length) return 1;
    const v = signal.values;
    if (v.length === 1) return v[0];
    const i = Math.min(Math.floor(frame), v.length - 1), j = Math.min(i + 1, v.length - 1);
    return v[i] + (frame - i) * (v[j] - v[i]);
}

export const endsOf = (config) =>
    [config?.first_end ?? config?.left ?? null, config?.last_end ?? config?.right ?? null];
export const loadsOf = (config) => config?.loads ?? config?.load ?? [];

export function gravityOf(config) {
    const g = loadsOf(config).find((l) => l?.name === 'gravity')?.acceleration;
    return g && size(g) > 0 ? g : null;
}

const nonzero = (v) => Array.isArray(v) && v.length === 3 && size(v) > 0;

// The configuration with the swept number as it is at this frame.
export function configAt(run, frame) {
    const config = run.config;
    if (!config || run.timed || !run.channels[0]) return config;
    const path = String(run.channels[0].name).split('.');
    const copy = structuredClone(config);
    let at = copy;
    for (const step of path.slice(0, -1)) {
        at = Object.hasOwn(Object(at), step) ? at[step] : null;
        if (at === null || typeof at !== 'object') return config;
    }
    const last = path[path.length - 1];
    if (Object.hasOwn(at, last) && typeof at[last] === 'number') at[last] = run.axis[Math.round(frame)];
    return copy;
}

// Words for the panel of facts: [what, how].
export function describe(config) {
    const facts = [];
    if (!config) return facts;
    const names = ['End at s = 0', 'End at s = L'];
    endsOf(config).forEach((end, i) => {
        if (!end) return;
        const more = [];
        if (nonzero(end.force)) more.push(`force ${vector(end.force)} N`);
        if (nonzero(end.moment)) more.push(`moment ${vector(end.moment)} N m`);
        if (nonzero(end.displacement)) more.push(`displacement ${vector(end.displacement)} m`);
        if (nonzero(end.turn)) more.push(`turn ${vector(end.turn)} rad`);
        for (const key of ['shortening', 'twist']) if (end[key]) more.push(`${key} ${readable(end[key])}`);
        if (end.following || end.frame === 'body') more.push('following');
        facts.push([names[i], [end.name, ...more].join(', ')]);
    });
    for (const load of loadsOf(config)) {
        const more = [];
        if (nonzero(load.acceleration)) more.push(`${vector(load.acceleration)} m/s²`);
        if (nonzero(load.force)) more.push(`${vector(load.force)} N`);
        if (nonzero(load.density)) more.push(`${vector(load.density)} ${load.name.includes('couple') ? 'N' : 'N/m'}`);
        if (load.at !== undefined && load.at !== null) more.push(`at s = ${readable(load.at)} m`);
        if (load.linear) more.push(`${readable(load.linear)} N s/m²`);
        if (load.following) more.push('following');
        facts.push(['Load', [load.name, ...more].join(', ')]);
    }
    if (nonzero(config.start?.release))
        facts.push(['Let go', `force ${vector(config.start.release)} N at s = L, until t = 0`]);
    return facts;
}

// Where a ring of the shape is, and its directors.
function poseAt(shape, s) {
    let i = 0;
    while (i < shape.count - 1 && shape.s[i] < s) i++;
    return {at: Array.from(shape.centre.subarray(3 * i, 3 * i + 3)),
        d: Array.from(shape.frame.subarray(9 * i, 9 * i + 9))};
}

const inSpace = (v, d) => [0, 1, 2].map((k) => v[0] * d[k] + v[1] * d[3 + k] + v[2] * d[6 + k]);

// Everything that is drawn beside the rod. `extent`: size of the scene, which sets the size of symbols.
export function symbols(config, frame, shape, section, extent, colours) {
    const out = [];
    if (!config || !shape.count) return out;
    const r = Math.max(section.half[0], section.half[1], extent * 0.006);
    const arrow = extent * 0.17;
    const vectors = []; // [position, force in space, colour, sort], drawn on one scale for each sort
    const ends = endsOf(config), length = shape.s[shape.count - 1];
    ends.forEach((end, i) => {
        if (!end) return;
        const {at, d} = poseAt(shape, i ? length : 0);
        const outward = i ? 1 : -1, d3 = d.slice(6, 9), name = String(end.name);
        const moved = nonzero(end.displacement) || nonzero(end.turn) || name === 'moved';
        if (name.includes('clamp') || name === 'moved' || name.includes('coaxial')) {
            const thick = Math.max(1.6 * r, extent * 0.014);
            out.push({sort: 'block', at: add(at, d3, (outward * thick) / 2), frame: d,
                size: [2 * Math.max(1.7 * section.half[0], extent * 0.022),
                2 * Math.max(1.7 * section.half[1], extent * 0.022), thick],
                colour: moved || name.includes('coaxial') ? colours.moved : colours.support});
        } else if (name.includes('pin')) {
            out.push({sort: 'ball', at, radius: Math.max(1.5 * r, extent * 0.014), colour: colours.support});
        }
        const k = amplitude(end.in_time, frame);
        const turned = (v) => (end.following || end.frame === 'body' ? inSpace(v, d) : v);
        if (nonzero(end.force)) vectors.push([at, scale(turned(end.force), k), colours.force, 'force']);
        if (nonzero(end.moment)) vectors.push([at, scale(turned(end.moment), k), colours.moment, 'moment']);
    });
    for (const load of loadsOf(config)) {
        const k = amplitude(load?.in_time, frame);
        if (nonzero(load?.force)) {
            const {at, d} = poseAt(shape, load.at ?? length);
            vectors.push([at, scale(load.following ? inSpace(load.force, d) : load.force, k), colours.force, 'force']);
        }
        if (nonzero(load?.density)) {
            const sort = load.name.includes('couple') ? 'couples' : 'line-load';
            const from = load.from ?? 0, until = load.until ?? length;
            for (let i = 0; i < 9; i++) {
                const {at, d} = poseAt(shape, from + ((until - from) * i) / 8);
                vectors.push([at, scale(load.following ? inSpace(load.density, d) : load.density, k),
                    sort === 'couples' ? colours.moment : colours.force, sort]);
            }
        }
    }
    const reach = {};
    for (const end of ends) {
        if (nonzero(end?.force)) reach.force = Math.max(reach.force || 0, size(end.force));
        if (nonzero(end?.moment)) reach.moment = Math.max(reach.moment || 0, size(end.moment));
    }
    for (const [, v, , sort] of vectors) reach[sort] = Math.max(reach[sort] || 0, size(v));
    for (const [at, v, colour, sort] of vectors) {
        const relative = size(v) / (reach[sort] || 1);
        if (!(relative > 0.01)) continue;
        const long = arrow * relative * (sort === 'force' || sort === 'moment' ? 1 : 0.45);
        if (sort === 'moment' || sort === 'couples')
            out.push({sort: 'turn', at, axis: unit(v), radius: long * 0.5, colour});
        else out.push({sort: 'arrow', at: add(at, unit(v), -long), to: at, colour});
    }
    return out;
}

// Points of an arc with an arrow's head for a moment about an axis.
export function arc(at, axis, radius) {
    const [a, b] = across(axis);
    const points = [];
    for (let i = 0; i <= 24; i++) {
        const t = (i / 24) * 1.5 * Math.PI;
        points.push(add(add(at, a, radius * Math.cos(t)), b, radius * Math.sin(t)));
    }
    const end = points[24], along = unit(cross(axis, add(end, at, -1)));
    return {points, head: [end, add(end, along, radius * 0.5)], handed: dot(axis, axis)};
}
