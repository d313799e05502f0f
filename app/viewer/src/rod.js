// From the poses of the nodes to a smooth rod: rings on a cubic through positions and tangents, turned evenly in
// between.
import {directors} from './maths.js';

const wanted = 320; // rings, about

export class RodShape {
    constructor(fractions, length) {
        const n = fractions.length;
        this.nodes = n;
        this.sub = Math.max(1, Math.min(24, Math.round(wanted / Math.max(n - 1, 1))));
        this.count = (n - 1) * this.sub + 1;
        this.s = new Float32Array(this.count);
        this.centre = new Float32Array(3 * this.count);
        this.frame = new Float32Array(9 * this.count);
        for (let i = 0; i < this.count; i++) {
            const j = Math.min(Math.floor(i / this.sub), Math.max(n - 2, 0)), t = i / this.sub - j;
            const next = fractions[Math.min(j + 1, n - 1)];
            this.s[i] = length * (fractions[j] + t * (next - fractions[j]));
        }
    }

    // p: nodes x 3; q: nodes x 4
    set(p, q) {
        const {nodes, sub, centre, frame} = this;
        const a = new Float64Array(9), b = new Float64Array(9), m = new Float64Array(4);
        let ring = 0;
        for (let j = 0; j < Math.max(nodes - 1, 1); j++) {
            const k = Math.min(j + 1, nodes - 1);
            directors(a, 0, q, 4 * j);
            directors(b, 0, q, 4 * k);
            const chord = Math.hypot(p[3 * k] - p[3 * j], p[3 * k + 1] - p[3 * j + 1], p[3 * k + 2] - p[3 * j + 2]);
            const cosine = Math.min(1, Math.max(-1, a[6] * b[6] + a[7] * b[7] + a[8] * b[8]));
            const half = Math.acos(cosine) / 2;
            const h = chord * (half > 1e-6 ? half / Math.sin(half) : 1); // the arc of a circle over this chord
            const same = q[4 * j] * q[4 * k] + q[4 * j + 1] * q[4 * k + 1] + q[4 * j + 2] * q[4 * k + 2]
                + q[4 * j + 3] * q[4 * k + 3];
            const sign = same < 0 ? -1 : 1;
            const last = j === nodes - 2 || nodes === 1;
            for (let i = 0; i < sub + (last ? 1 : 0) && ring < this.count; i++, ring++) {
                const t = i / sub, t2 = t * t, t3 = t2 * t;
                const h00 = 2 * t3 - 3 * t2 + 1, h10 = (t3 - 2 * t2 + t) * h, h01 = 3 * t2 - 2 * t3,
                    h11 = (t3 - t2) * h;
                for (let c = 0; c < 3; c++)
                    centre[3 * ring + c] = h00 * p[3 * j + c] + h10 * a[6 + c] + h01 * p[3 * k + c] + h11 * b[6 + c];
                for (let c = 0; c < 4; c++) m[c] = (1 - t) * q[4 * j + c] + sign * t * q[4 * k + c];
                directors(frame, 9 * ring, m, 0);
            }
        }
    }

    copy() {
        const other = Object.assign(Object.create(RodShape.prototype), this);
        other.centre = this.centre.slice();
        other.frame = this.frame.slice();
        return other;
    }
}
