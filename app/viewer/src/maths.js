// Vectors as arrays of three, quaternions scalar first, as in the archive.

export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
export const scale = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const size = (a) => Math.hypot(a[0], a[1], a[2]);
export const unit = (a) => scale(a, 1 / (size(a) || 1));

// The columns d1, d2, d3 of the rotation of the quaternion at q[i], into out[j ...].
export function directors(out, j, q, i) {
    let [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    const n = 1 / (Math.hypot(w, x, y, z) || 1);
    w *= n; x *= n; y *= n; z *= n;
    out[j] = 1 - 2 * (y * y + z * z); out[j + 1] = 2 * (x * y + w * z); out[j + 2] = 2 * (x * z - w * y);
    out[j + 3] = 2 * (x * y - w * z); out[j + 4] = 1 - 2 * (x * x + z * z); out[j + 5] = 2 * (y * z + w * x);
    out[j + 6] = 2 * (x * z + w * y); out[j + 7] = 2 * (y * z - w * x); out[j + 8] = 1 - 2 * (x * x + y * y);
}

// Two unit vectors across a given one.
export function across(v) {
    const d = unit(v);
    const pick = Math.abs(d[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
    const a = unit(cross(d, pick));
    return [a, cross(d, a)];
}

// v turned by the rotation vector r.
export function turned(v, r) {
    const angle = size(r);
    if (angle < 1e-12) return [...v];
    const k = scale(r, 1 / angle);
    const c = Math.cos(angle), s = Math.sin(angle), kv = dot(k, v), x = cross(k, v);
    return [0, 1, 2].map((i) => v[i] * c + x[i] * s + k[i] * kv * (1 - c));
}

// The value at x of numbers given at increasing positions; held beyond.
export function between(positions, values, x) {
    const n = positions.length;
    if (n === 0) return 0;
    if (x <= positions[0]) return values[0];
    if (x >= positions[n - 1]) return values[n - 1];
    let low = 0, high = n - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (positions[middle] <= x) low = middle;
        else high = middle;
    }
    const width = positions[high] - positions[low];
    return values[low] + (width > 0 ? (x - positions[low]) / width : 0) * (values[high] - values[low]);
}

// A number for people: four digits, powers of ten beyond.
export function readable(x, digits = 4) {
    if (!Number.isFinite(x)) return '–';
    if (x === 0) return '0';
    const a = Math.abs(x);
    const text = a >= 1e-3 && a < 1e5 ? String(Number(x.toPrecision(digits)))
        : x.toExponential(Math.max(digits - 2, 1));
    return text.replace('-', '−').replace('e−', 'e−').replace('e+', 'e');
}

// 1, 2 or 5 times a power of ten, at most x.
export function round125(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return [5, 2, 1].map((k) => k * power).find((k) => k <= x * 1.0000001) || power;
}
