// The viewer: puts run, scene, plots and controls together.
import {Camera, fieldOfView, presets} from './camera.js';
import {css, diverging, paint, pick, sequential} from './colours.js';
import {Overlays} from './overlays.js';
import {pageBlock, Run} from './data.js';
import {Diagram} from './diagram.js';
import {follow} from './follow.js';
import {add, dot, readable, round125} from './maths.js';
import {showFacts, showVerdict} from './panels.js';
import {Player} from './player.js';
import {element, Plots} from './plots.js';
import {quantitiesOf} from './quantities.js';
import {RodShape} from './rod.js';
import {keys, listen} from './shortcuts.js';
import {stageOf} from './stage.js';
import {bodiesOf, Poser, subjectOf} from './subject.js';
import {configAt, symbols} from './things.js';

const by = (id) => document.getElementById(id);
const thicknesses = [1, 2, 3, 5, 10, 20];
const mostGhosts = 9, mostOffsetFrames = 16;

class Viewer {
    constructor(run, Scene, Plot) {
        this.run = run;
        this.rod = run.firstRod; // of an assembly the first, with the others in the overlays
        this.subject = subjectOf(this.rod);
        this.canvas = by('view');
        this.dirty = true;
        this.thickness = 1;
        this.modePhase = 0;
        this.player = new Player(run, () => this.moved());
        if (this.subject) {
            this.section = this.subject.section;
            this.poser = new Poser(this.subject, run);
            this.shape = new RodShape(this.subject.fractions, this.subject.length);
            this.scene = new Scene(this.canvas);
            this.camera = new Camera();
            this.quantities = quantitiesOf(this.rod, this.section, this.subject.length);
            this.levels = new Float32Array(this.shape.count);
            this.colours = new Float32Array(3 * this.shape.count);
            this.ghostShapes = new Map();
            this.overlays = new Overlays(run);
            this.bodies = bodiesOf(run);
            this.setStage();
        } else {
            by('stage').hidden = true;
        }
        this.plots = new Plots(Plot, by('plots'), run, this.subject ?? {length: 1}, (frame) => this.player.go(frame));
        if (this.subject?.diagram)
            this.diagram = new Diagram(by('diagram'), run, pageBlock, (frame) => this.player.go(frame),
                () => this.wake());
    }

    setStage() {
        const {subject, run, poser} = this;
        const joined = this.overlays.list.filter((c) => c.joined).map((c) => c.poser);
        this.stage = stageOf(run, subject, [poser, ...joined], this.bodies);
        this.staged = run.count;
        this.scene.setStage(this.stage);
        this.camera.setUp(this.stage.up, this.stage.front);
    }

    viewFrom(i) {
        [, , this.camera.yaw, this.camera.pitch] = presets[i];
        this.fit();
    }

    fit() {
        const points = this.on('chase') ? this.nearPoints() : Array.from(this.stage.points);
        for (const offset of this.overlays.offsets(this.stage)) for (let i = 0; i < this.stage.points.length; i++)
            points.push(this.stage.points[i] + offset[i % 3]);
        if (this.on('parallel'))
            for (const rod of this.offsetFrames()) for (let i = 0; i < this.stage.points.length; i++)
                points.push(this.stage.points[i] + rod.offset[i % 3]);
        const box = this.canvas.getBoundingClientRect();
        this.camera.fit(points, (box.width || 1) / (box.height || 1), this.middle(),
            1.7 * Math.max(...this.section.half) * this.thickness + 0.02 * this.subject.length);
        this.wake();
    }

    // A ball round the rod, for a camera that goes with it.
    nearPoints() {
        const r = 0.55 * this.subject.length;
        return [0, 1, 2].flatMap((k) => [-r, r].flatMap((x) => this.stage.middle.map((m, i) => m + (i === k ? x : 0))));
    }

    middle() {
        const others = this.overlays.offsets(this.stage);
        if (!this.on('parallel')) return others.length ? add(this.stage.middle, others[others.length - 1], 0.5)
            : this.stage.middle;
        const offsets = this.offsetFrames();
        return add(this.stage.middle, offsets[offsets.length - 1].offset, 0.5);
    }

    on(name) {
        return by(name).getAttribute('aria-pressed') === 'true';
    }

    wake() {
        this.dirty = true;
    }

    moved() {
        this.wake();
        const {player, run} = this, scrub = by('scrub');
        scrub.max = String(run.count - 1);
        scrub.value = String(Math.round(player.position));
        const axis = run.channels[0], x = run.timed ? run.at(player.position) : run.axis[Math.round(player.position)];
        const unit = axis.unit === '1' ? '' : ` ${axis.unit}`;
        by('clock').textContent = `${axis.name === 'time' ? 't' : axis.name} = ${readable(x)}${unit}`;
        scrub.setAttribute('aria-valuetext', by('clock').textContent);
        by('play').textContent = player.playing ? '❚❚' : '▶';
        by('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
        document.documentElement.dataset.frame = String(Math.round(player.position));
    }

    // ---- what is drawn ----

    // Colours of a shape at a frame.
    paintRod(frame, out) {
        const q = this.quantity;
        if (!q) {
            const c = paint[this.theme].rod;
            for (let i = 0; i < out.length; i++) out[i] = c[i % 3];
            return out;
        }
        q.levels(frame, this.shape.s, this.levels); // first: it finds out whether there are signs
        const map = q.signed ? diverging : sequential;
        for (let i = 0; i < this.levels.length; i++) pick(map, this.levels[i], out, 3 * i);
        return out;
    }

    ghostFrames(most) {
        const count = Math.min(most, this.run.count);
        return Array.from({length: count}, (_, i) => Math.round((i * (this.run.count - 1)) / Math.max(count - 1, 1)));
    }

    ghost(frame) {
        let known = this.ghostShapes.get(frame);
        if (!known) {
            const {p, q} = this.poser.at(frame);
            const shape = this.shape.copy();
            shape.set(p, q);
            known = shape;
            this.ghostShapes.set(frame, known);
        }
        return known;
    }

    offsetFrames() {
        const frames = this.ghostFrames(mostOffsetFrames);
        const step = this.stage.extent * Math.min(0.3, 2.4 / frames.length);
        return frames.map((frame, i) => ({frame, offset: this.stage.front.map((x) => -x * step * i)}));
    }

    rods() {
        const {section, thickness} = this, rods = [], zero = [0, 0, 0];
        const appearance = `${this.theme}:${this.quantity?.key}:${thickness}:${this.run.count}`;
        if (this.on('parallel')) {
            for (const {frame, offset} of this.offsetFrames())
                rods.push({id: `offset${frame}`, fixed: `${appearance}:${offset}`, shape: this.ghost(frame), section,
                    offset, thickness, opacity: 1,
                    colours: this.paintRod(frame, new Float32Array(this.colours.length))});
            return rods;
        }
        rods.push({id: 'rod', shape: this.shape, section, offset: zero, thickness, opacity: 1,
            colours: this.paintRod(Math.round(this.player.position), this.colours)});
        rods.push(...this.overlays.rods(this.stage, this.run, this.player.position, this.quantity, this.theme,
            thickness));
        if (this.on('ghosts')) {
            const c = paint[this.theme].ghost, colours = Float32Array.from(this.colours, (_, i) => c[i % 3]);
            for (const frame of this.ghostFrames(mostGhosts))
                rods.push({id: `ghost${frame}`, fixed: appearance, shape: this.ghost(frame), section, offset: zero,
                    thickness, opacity: 0.2, colours});
        }
        return rods;
    }

    tipPath() {
        if (this.path?.count === this.run.count) return this.path;
        const {run, subject} = this, points = new Float32Array(3 * run.count), tip = this.rod.find('state/tip');
        for (let f = 0; f < run.count; f++) {
            const p = tip?.size === 3 ? tip.frame(f) : this.poser.at(f).p.slice(3 * (subject.nodes - 1));
            points.set(p, 3 * f);
        }
        this.path = {count: run.count, points};
        return this.path;
    }

    lines() {
        const lines = [], {shape} = this, colours = paint[this.theme];
        if (this.on('trail') && !this.on('parallel')) {
            const {points} = this.tipPath(), now = Math.floor(this.player.position),
                stride = Math.max(1, Math.floor(now / 800)), trail = [];
            for (let f = 0; f <= now; f += stride) trail.push(points[3 * f], points[3 * f + 1], points[3 * f + 2]);
            trail.push(...shape.centre.subarray(3 * (shape.count - 1)));
            lines.push({points: trail, colour: colours.trail, width: 2.4, opacity: 0.85});
        }
        if (this.on('frames') && !this.on('parallel')) {
            const points = [], tones = [], long = this.stage.extent * 0.06,
                wide = Math.max(...this.section.half) * this.thickness * 1.5;
            for (let n = 0; n <= 12; n++) {
                const i = Math.round((n * (shape.count - 1)) / 12);
                for (let k = 0; k < 3; k++) {
                    for (let c = 0; c < 3; c++) points.push(shape.centre[3 * i + c]);
                    for (let c = 0; c < 3; c++) points.push(shape.centre[3 * i + c]
                        + (long + (k < 2 ? wide : 0)) * shape.frame[9 * i + 3 * k + c]);
                    tones.push(...colours.frame[k], ...colours.frame[k]);
                }
            }
            lines.push({points, colours: tones, segments: true, width: 2.2, above: true});
        }
        return lines;
    }

    drawnSymbols(position) {
        const {stage, rod, shape, section} = this, colours = paint[this.theme];
        const bodies = this.on('parallel') ? [] : this.bodies.map((body) => body.at(position, colours.support));
        if (!this.on('loads') || this.on('parallel') || this.subject.sort !== 'rod') return bodies;
        return [...bodies, ...symbols(configAt(rod, position), position, shape, section, stage.extent, colours),
            ...this.overlays.symbols(stage, this.theme)];
    }

    // A mode swings about the solution.
    swing(frame, p, q) {
        const motion = this.diagram?.motion(frame, this.subject.nodes);
        if (!motion) return;
        const k = 0.13 * Math.sin(this.modePhase);
        for (let i = 0; i < this.subject.nodes; i++) {
            const turn = [0, 1, 2].map((c) => k * motion[6 * i + c]);
            // in lengths of the rod
            for (let c = 0; c < 3; c++) p[3 * i + c] += k * this.subject.length * motion[6 * i + 3 + c];
            const [w, v] = [q[4 * i], [q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]]];
            // half the rotation vector is good enough for a picture
            const h = turn.map((x) => x / 2), n = Math.hypot(1, ...h);
            q[4 * i] = (w - h[0] * v[0] - h[1] * v[1] - h[2] * v[2]) / n;
            q[4 * i + 1] = (v[0] + h[0] * w + h[1] * v[2] - h[2] * v[1]) / n;
            q[4 * i + 2] = (v[1] + h[1] * w + h[2] * v[0] - h[0] * v[2]) / n;
            q[4 * i + 3] = (v[2] + h[2] * w + h[0] * v[1] - h[1] * v[0]) / n;
        }
    }

    draw() {
        const {player, run} = this, position = player.position, frame = Math.round(position);
        if (this.subject) {
            const {p, q} = this.poser.at(position);
            this.swing(frame, p, q);
            this.shape.set(p, q);
            if (this.on('chase') && !this.on('parallel')) {
                const c = [0, 0, 0];
                for (let i = 0; i < p.length; i++) c[i % 3] += p[i] / this.subject.nodes;
                this.camera.target = c;
            }
            const rods = this.rods(); // first: it moves what stands beside
            this.scene.draw({camera: this.camera, rods, symbols: this.drawnSymbols(position), lines: this.lines()});
            this.drawScale();
            this.drawTriad();
            const tip = Array.from(this.shape.centre.subarray(3 * (this.shape.count - 1)),
                (x) => readable(Math.abs(x) < 1e-6 * this.stage.extent ? 0 : x, 3));
            by('reading').textContent = this.subject.sort === 'rod' ? `end at (${tip.join(', ')}) m` : '';
        }
        this.plots.show(run.timed ? position : frame);
        this.diagram?.show(frame);
    }

    drawScale() {
        const box = this.canvas.getBoundingClientRect(),
            perMetre = box.height / 2 / Math.tan((fieldOfView * Math.PI) / 360) / this.camera.distance;
        const long = round125(110 / perMetre);
        by('scale').hidden = this.subject.sort !== 'rod';
        by('scale-bar').style.width = `${long * perMetre}px`;
        by('scale-text').textContent = long >= 1 ? `${readable(long)} m` : long >= 0.01 ? `${readable(long * 100)} cm`
            : `${readable(long * 1000)} mm`;
    }

    // The axes of space, and where gravity pulls.
    drawTriad() {
        const {right, up, back} = this.camera.axes(), {stage} = this, tones = paint[this.theme];
        const arrows = [0, 1, 2].map((k) =>
            ({name: 'xyz'[k], v: [0, 1, 2].map((i) => (i === k ? 1 : 0)), colour: css(tones.frame[k])}));
        if (stage.gravity) arrows.push({name: 'g', v: stage.up.map((x) => -x), colour: css(tones.gravity), wide: true});
        arrows.sort((a, b) => dot(a.v, back) - dot(b.v, back));
        by('triad').replaceChildren(...arrows.flatMap(({name, v, colour, wide}) => {
            const [x, y] = [dot(v, right), -dot(v, up)];
            const line = document.createElementNS('http://www.w3.org/2000/svg', 'line'),
                text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
            for (const [key, value] of Object.entries({x1: 0, y1: 0, x2: 24 * x, y2: 24 * y, stroke: colour,
                'stroke-width': wide ? 4 : 2, 'stroke-linecap': 'round'}))
                line.setAttribute(key, value);
            text.setAttribute('x', (wide ? 36 : 32) * x);
            text.setAttribute('y', (wide ? 36 : 32) * y);
            text.textContent = name;
            return [line, text];
        }));
    }

    drawLegend() {
        const q = this.quantity;
        by('legend').hidden = !q;
        if (!q) return;
        const [low, high, flat] = q.range(), canvas = by('legend-bar'), c = canvas.getContext('2d'), rgb = [0, 0, 0];
        for (let x = 0; x < canvas.width; x++) {
            pick(q.signed ? diverging : sequential, flat ? (q.signed ? 0.5 : 0) : x / (canvas.width - 1), rgb, 0);
            c.fillStyle = css(rgb);
            c.fillRect(x, 0, 1, canvas.height);
        }
        by('legend-name').textContent = q.unit ? `${q.label} / ${q.unit}` : q.label;
        by('legend-low').textContent = flat ? readable(q.at(0)[0], 3) : readable(low, 3);
        by('legend-middle').textContent = flat ? '' : readable((low + high) / 2, 2);
        by('legend-high').textContent = flat ? 'everywhere' : readable(high, 3);
    }

    setTheme(theme) {
        this.theme = theme;
        document.documentElement.dataset.theme = theme;
        by('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
        by('theme').setAttribute('aria-pressed', String(theme === 'dark'));
        this.scene?.setTheme(theme);
        this.plots.setTheme(theme);
        this.diagram?.setTheme(theme);
        this.wake();
    }

    resize() {
        if (!this.scene) return;
        const box = this.canvas.getBoundingClientRect();
        if (!(box.width > 0 && box.height > 0)) return;
        this.scene.setSize(box.width, box.height, Math.min(globalThis.devicePixelRatio || 1, 2));
        this.wake();
    }

    // Frames were added.
    grew() {
        const atEnd = this.player.position >= this.staged - 2;
        if (this.subject) {
            this.ghostShapes.clear();
            if (this.run.count > this.staged * 1.2) {
                const {yaw, pitch} = this.camera;
                this.setStage();
                [this.camera.yaw, this.camera.pitch] = [yaw, pitch];
                this.fit();
            }
            this.drawLegend();
        }
        this.plots.refresh();
        showFacts(by('facts'), this.run, this.subject ?? {}, this.section);
        if (atEnd && !this.player.playing) this.player.go(this.run.count - 1);
        this.moved();
    }
}

// ---- controls ----

function fill(select, options, value) {
    select.replaceChildren(...options.map(([v, name]) => {
        const option = element('option', '', name);
        option.value = String(v);
        return option;
    }));
    select.value = String(value);
}

function connect(viewer) {
    const {player, camera, run} = viewer;
    const toggle = (name) => {
        const button = by(name);
        button.setAttribute('aria-pressed', String(!viewer.on(name)));
        if (name === 'loop') player.loop = viewer.on('loop');
        if (name === 'parallel' || name === 'chase') viewer.fit();
        viewer.wake();
    };
    for (const name of ['loop', 'trail', 'ghosts', 'frames', 'loads', 'parallel', 'chase'])
        by(name).addEventListener('click', () => toggle(name));
    by('play').addEventListener('click', () => player.play(!player.playing));
    const step = (by_) => {
        player.playing = false;
        player.go(Math.round(player.position) + by_);
    };
    by('back').addEventListener('click', () => step(-1));
    by('forth').addEventListener('click', () => step(1));
    by('scrub').addEventListener('input', () => {
        player.playing = false;
        player.go(Number(by('scrub').value));
    });
    fill(by('speed'), player.speeds(), player.firstSpeed());
    player.rate = player.firstSpeed();
    by('speed').addEventListener('change', () => {
        player.rate = Number(by('speed').value);
    });
    fill(by('thickness'), thicknesses.map((k) => [k, k === 1 ? 'real' : `× ${k}`]), 1);
    by('thickness').addEventListener('change', () => {
        viewer.thickness = Number(by('thickness').value);
        viewer.wake();
    });
    const colours = viewer.quantities ?? [];
    fill(by('colour'), [['none', 'plain'], ...colours.map((q, i) => [i, q.unit ? `${q.label} / ${q.unit}` : q.label])],
        'none');
    const recolour = () => {
        viewer.quantity = by('colour').value === 'none' ? null : colours[Number(by('colour').value)];
        viewer.overlays?.adopt(viewer.quantity);
        viewer.drawLegend();
        viewer.wake();
    };
    by('colour').addEventListener('change', recolour);
    const first = colours.findIndex((q) => ['curvature', 'bending'].includes(q.key) && !q.range()[2]);
    if (first >= 0) by('colour').value = String(first);
    recolour();
    const theme = () => viewer.setTheme(viewer.theme === 'dark' ? 'light' : 'dark');
    by('theme').addEventListener('click', theme);
    const help = () => by('help').showModal();
    by('help-button').addEventListener('click', help);
    by('help-list').append(...keys.flatMap(([, name, what]) => {
        const dt = element('dt');
        dt.append(element('kbd', '', name));
        return [dt, element('dd', '', what)];
    }));
    const bump = (select, d) => {
        select.selectedIndex = Math.max(0, Math.min(select.length - 1, select.selectedIndex + d));
        select.dispatchEvent(new Event('change'));
    };
    const act = {
        ' ': () => player.play(!player.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
        Home: () => step(-run.count), End: () => step(run.count),
        '+': () => bump(by('speed'), 1), '-': () => bump(by('speed'), -1), d: theme, '?': help,
        c: () => {
            const select = by('colour');
            select.selectedIndex = (select.selectedIndex + 1) % select.length;
            select.dispatchEvent(new Event('change'));
        },
    };
    for (const [key, name] of Object.entries({l: 'loop', t: 'trail', g: 'ghosts', f: 'frames', e: 'loads', v: 'chase',
        p: 'parallel'}))
        act[key] = () => by(name).hidden || toggle(name);
    if (camera) {
        presets.forEach(([name, key], i) => {
            const button = element('button', '', name);
            button.type = 'button';
            button.title = `${name} (${key})`;
            button.addEventListener('click', () => viewer.viewFrom(i));
            by('cameras').append(button);
            act[key] = () => viewer.viewFrom(i);
        });
        const turn = (x, y) => () => {
            camera.orbit(x, y);
            viewer.wake();
        };
        const zoom = (k) => () => {
            camera.zoom(k);
            viewer.wake();
        };
        Object.assign(act, {a: turn(-0.15, 0), s: turn(0, -0.1), w: turn(0, 0.1), x: turn(0.15, 0), i: zoom(0.87),
            o: zoom(1.15)});
        connectPointer(viewer);
    }
    listen(act);
    by('parallel').hidden = run.timed || !viewer.subject || viewer.subject.diagram || run.count < 2;
}

// One finger or the left button turns, two fingers or another button move and zoom.
function connectPointer(viewer) {
    const {canvas, camera} = viewer, down = new Map();
    canvas.addEventListener('pointerdown', (e) => {
        down.set(e.pointerId, e);
        canvas.setPointerCapture(e.pointerId);
    });
    const up = (e) => down.delete(e.pointerId);
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('pointermove', (e) => {
        const before = down.get(e.pointerId);
        if (!before) return;
        const h = canvas.clientHeight || 1, dx = (e.clientX - before.clientX) / h,
            dy = (e.clientY - before.clientY) / h;
        if (down.size === 2) {
            const other = [...down.values()].find((o) => o.pointerId !== e.pointerId);
            const reach = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1;
            camera.zoom(reach(before) / reach(e));
            camera.pan(dx / 2, dy / 2);
        } else if (e.buttons & 6 || e.shiftKey) camera.pan(dx, dy);
        else camera.orbit(dx * 3, dy * 3);
        down.set(e.pointerId, e);
        viewer.wake();
    });
    canvas.addEventListener('wheel', (e) => {
        camera.zoom(Math.exp(Math.max(-100, Math.min(100, e.deltaY)) * 0.0016));
        viewer.wake();
        e.preventDefault();
    }, {passive: false});
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('dblclick', () => viewer.viewFrom(0));
}

const say = (text) => {
    by('message').textContent = text;
    by('message').hidden = !text;
};

export function start(Scene, Plot, name) {
    document.documentElement.dataset.viewer = name;
    const dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    let head;
    try {
        head = JSON.parse(pageBlock('run'));
    } catch (trouble) {
        say(`This page has no run, or only a part of one: ${trouble.message}`);
        return;
    }
    by('title').textContent = head.title || head.file || 'withy';
    document.title = `${head.title || head.file} – withy`;
    if (head.waiting) {
        say(`Waiting for the first frame: ${head.waiting}`);
        by('main').hidden = true;
        follow(null, () => {}, say);
        return;
    }
    if (head.format !== 1) {
        say(`This page is of format ${head.format}, and its viewer knows format 1.`);
        return;
    }
    let viewer;
    try {
        viewer = new Viewer(new Run(head, pageBlock), Scene, Plot);
    } catch (trouble) {
        say(`This run cannot be shown: ${trouble.message}`);
        throw trouble;
    }
    const {run} = viewer;
    by('about').textContent = [run.kind, run.outcome === 'done' ? '' : run.outcome,
        `${run.frames} frame${run.frames === 1 ? '' : 's'}`].filter(Boolean).join(' · ');
    if (run.count < run.frames && !run.follow)
        say(`${run.count} of ${run.frames} frames are in this page, evenly chosen.`);
    const judge = () => showVerdict(by('verdict'), by('verdict-line'), by('verdict-why'), run);
    judge();
    showFacts(by('facts'), run, viewer.subject ?? {}, viewer.section);
    viewer.overlays?.describe(by('facts'), run);
    connect(viewer);
    viewer.resize();
    // a rod that flies far away is looked at from near
    if (viewer.subject && viewer.stage.extent > 4 * viewer.subject.length)
        by('chase').setAttribute('aria-pressed', 'true');
    if (viewer.subject) viewer.viewFrom(0);
    viewer.setTheme(dark ? 'dark' : 'light');
    viewer.plots.resize();
    viewer.moved();
    viewer.draw();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
    if (viewer.subject) new ResizeObserver(() => viewer.resize()).observe(viewer.canvas);
    let last = performance.now();
    const tick = (now) => {
        const seconds = Math.min((now - last) / 1000, 0.1);
        last = now;
        viewer.player.advance(seconds);
        if (viewer.diagram?.mode >= 0) {
            viewer.modePhase += seconds * 4;
            viewer.wake();
        }
        if (viewer.dirty) {
            viewer.dirty = false;
            viewer.draw();
        }
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const still = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    if (run.timed && !still) viewer.player.play(true);
    if (run.follow) {
        viewer.player.go(run.count - 1);
        viewer.player.playing = false;
        viewer.moved();
        follow(run, () => {
            by('about').textContent = [run.kind, run.outcome, `${run.frames} frames`].join(' · ');
            judge();
            viewer.grew();
        }, say);
    }
    globalThis.withyViewer = viewer;
}
