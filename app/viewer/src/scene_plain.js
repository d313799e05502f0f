// The scene on a plain canvas, without WebGL or packages: faces sorted by distance and painted from far to near.
import {fieldOfView} from './camera.js';
import {css, paint} from './colours.js';
import {add, dot, round125, scale, size, sub, unit} from './maths.js';
import {arc} from './things.js';

export class ScenePlain {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext('2d');
        this.theme = 'light';
    }

    setSize(width, height, ratio) {
        this.width = width;
        this.height = height;
        this.ratio = ratio;
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
    }

    setTheme(theme) {
        this.theme = theme;
    }

    setStage(stage) {
        this.stage = stage;
    }

    setCamera(camera) {
        this.eye = camera.eye();
        this.axes = camera.axes();
        this.focal = this.height / 2 / Math.tan((fieldOfView * Math.PI) / 360);
        this.lamp = unit(add(add(scale(this.stage.up, 1.9), this.stage.front, 1.1), this.stage.right, -0.8));
    }

    // Where a point is in the picture, and how far away; null behind the eye.
    see(p) {
        const d = [p[0] - this.eye[0], p[1] - this.eye[1], p[2] - this.eye[2]];
        const far = -dot(d, this.axes.back);
        if (far < 1e-9) return null;
        const k = this.focal / far;
        return [this.width / 2 + k * dot(d, this.axes.right), this.height / 2 - k * dot(d, this.axes.up), far];
    }

    // Lamp light on a face with this normal.
    shade(colour, normal, towards) {
        const n = dot(normal, towards) < 0 ? scale(normal, -1) : normal;
        const light = 0.42 + 0.58 * Math.max(0, dot(n, this.lamp));
        return css(colour.map((c) => Math.min(1, c * light)));
    }

    face(points, colour, normal, opacity) {
        const seen = points.map((p) => this.see(p));
        if (seen.some((p) => !p)) return;
        const towards = sub(this.eye, points[0]);
        this.faces.push({seen, far: seen.reduce((sum, p) => sum + p[2], 0) / seen.length,
            fill: this.shade(colour, normal, towards), opacity});
    }

    addRod({shape, section, colours, opacity, offset, thickness}) {
        const {points, faces} = section.outline, {centre, frame} = shape;
        const stride = faces.length > 8 ? 2 : 1; // fewer faces round a tube
        const every = Math.max(1, Math.round(shape.count / 90));
        const at = (i, x, y) => {
            const [kx, ky] = section.sizeAt(shape.s[i]).map((k) => k * thickness);
            return [0, 1, 2].map((k) => centre[3 * i + k] + offset[k] + x * kx * frame[9 * i + k]
                + y * ky * frame[9 * i + 3 + k]);
        };
        const ring = (i) => points.map(([x, y]) => at(i, x, y));
        let last = ring(0);
        for (let i = 0; i + 1 < shape.count;) {
            const j = Math.min(i + every, shape.count - 1), next = ring(j);
            const colour = [0, 1, 2].map((k) => (colours[3 * i + k] + colours[3 * j + k]) / 2);
            for (let f = 0; f < faces.length; f += stride) {
                const a = faces[f][0], b = faces[Math.min(f + stride - 1, faces.length - 1)][1];
                const nx = points[a][2] + points[b][2], ny = points[a][3] + points[b][3];
                const normal = unit([0, 1, 2].map((k) => nx * frame[9 * i + k] + ny * frame[9 * i + 3 + k]));
                this.face([last[a], last[b], next[b], next[a]], colour, normal, opacity);
            }
            last = next;
            i = j;
        }
        for (const i of [0, shape.count - 1]) {
            const normal = Array.from(frame.subarray(9 * i + 6, 9 * i + 9));
            const outline = faces.map(([a]) => at(i, points[a][0], points[a][1]));
            this.face(outline, Array.from(colours.subarray(3 * i, 3 * i + 3)), normal, opacity);
        }
    }

    addStroke(points, colour, width, opacity = 1) {
        for (let i = 0; i + 1 < points.length; i++) {
            const a = this.see(points[i]), b = this.see(points[i + 1]);
            if (a && b) this.faces.push({seen: [a, b], far: (a[2] + b[2]) / 2, stroke: css(colour), width, opacity});
        }
    }

    addSymbol(s) {
        if (s.sort === 'block') {
            const axis = [0, 3, 6].map((i) => s.frame.slice(i, i + 3));
            for (let k = 0; k < 3; k++)
                for (const side of [-1, 1]) {
                    const [a, b] = [axis[(k + 1) % 3], axis[(k + 2) % 3]],
                        [la, lb] = [s.size[(k + 1) % 3] / 2, s.size[(k + 2) % 3] / 2];
                    const middle = add(s.at, axis[k], (side * s.size[k]) / 2);
                    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
                        .map(([x, y]) => add(add(middle, a, x * la), b, y * lb));
                    this.face(corners, s.colour, scale(axis[k], side), 1);
                }
        }
        if (s.sort === 'ball') {
            const p = this.see(s.at);
            if (p) this.faces.push({seen: [p], far: p[2], fill: css(s.colour), radius: (s.radius * this.focal) / p[2],
                opacity: 1});
        }
        if (s.sort === 'arrow' || s.sort === 'turn') {
            const turn = s.sort === 'turn' ? arc(s.at, s.axis, s.radius) : null;
            const body = turn ? turn.points : [s.at, s.to];
            const [from, to] = turn ? turn.head : [s.at, s.to];
            this.addStroke(body, s.colour, 2.5);
            const d = sub(to, from), long = Math.min(size(d) * 0.5, this.stage.extent * 0.035),
                neck = add(to, unit(d), -long);
            const [a, b] = [this.see(to), this.see(neck)];
            if (!a || !b) return;
            const [x, y] = [a[0] - b[0], a[1] - b[1]];
            this.faces.push({seen: [a, [b[0] - y * 0.4, b[1] + x * 0.4, b[2]], [b[0] + y * 0.4, b[1] - x * 0.4, b[2]]],
                far: a[2] * 0.999,
                fill: css(s.colour), opacity: 1});
        }
    }

    drawGrid() {
        const {extent, middle, up, right, front, floor} = this.stage, step = round125(extent / 5),
            half = Math.ceil((1.4 * extent) / step);
        const ground = add(middle, up, -floor), c = this.context;
        c.strokeStyle = css(paint[this.theme].grid);
        c.lineWidth = 1;
        for (let i = -half; i <= half; i++)
            for (const [a, b] of [[right, front], [front, right]]) {
                const p = this.see(add(add(ground, a, i * step), b, -half * step)),
                    q = this.see(add(add(ground, a, i * step), b, half * step));
                if (!p || !q) continue;
                c.globalAlpha = 0.9 * Math.max(0, 1 - Math.abs(i) / half);
                c.beginPath();
                c.moveTo(p[0], p[1]);
                c.lineTo(q[0], q[1]);
                c.stroke();
            }
        c.globalAlpha = 1;
    }

    draw({camera, rods, symbols, lines}) {
        const c = this.context;
        c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        c.fillStyle = css(paint[this.theme].ground);
        c.fillRect(0, 0, this.width, this.height);
        this.setCamera(camera);
        this.drawGrid();
        this.faces = [];
        for (const rod of rods) this.addRod(rod);
        for (const s of symbols) this.addSymbol(s);
        for (const l of lines) {
            const points = [];
            for (let i = 0; i < l.points.length; i += 3) points.push([l.points[i], l.points[i + 1], l.points[i + 2]]);
            if (l.segments) for (let i = 0; i + 1 < points.length; i += 2)
                this.addStroke(points.slice(i, i + 2), l.colours ? l.colours.slice(3 * i, 3 * i + 3) : l.colour,
                l.width);
            else this.addStroke(points, l.colour, l.width, l.opacity ?? 1);
        }
        this.faces.sort((a, b) => b.far - a.far);
        c.lineJoin = 'round';
        for (const f of this.faces) {
            c.globalAlpha = f.opacity;
            c.beginPath();
            if (f.radius) c.arc(f.seen[0][0], f.seen[0][1], f.radius, 0, 2 * Math.PI);
            else f.seen.forEach((p, i) => (i ? c.lineTo(p[0], p[1]) : c.moveTo(p[0], p[1])));
            if (f.stroke) {
                c.strokeStyle = f.stroke;
                c.lineWidth = f.width;
                c.stroke();
                continue;
            }
            c.closePath();
            c.fillStyle = c.strokeStyle = f.fill;
            c.lineWidth = 0.6; // closes the seams between faces
            c.fill();
            if (f.opacity === 1) c.stroke();
        }
        c.globalAlpha = 1;
    }
}
