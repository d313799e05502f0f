// The run that the command put into the page: channels, decoded when they are first asked for.

function decode(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text).buffer;
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
    return bytes.buffer;
}

const arrays = {f8: Float64Array, f4: Float32Array, u2: Uint16Array};

// Some frames of a channel, as they came.
class Segment {
    constructor(count, code, text, scales) {
        this.count = count;
        this.code = code;
        this.text = text;
        this.scaleText = scales;
        this.numbers = null;
        this.scales = null;
    }

    open() {
        if (this.numbers) return;
        this.numbers = new arrays[this.code](decode(this.text()));
        if (this.code === 'u2') this.scales = new Float32Array(decode(this.scaleText()));
        this.text = this.scaleText = null;
    }
}

export class Channel {
    constructor(about, index) {
        Object.assign(this, about);
        this.index = index;
        this.inside = about.group ? `${about.group}/${about.name}` : about.name; // its object
        this.path = about.object ? `${about.object}/${this.inside}` : this.inside;
        this.size = about.rows * about.columns;
        this.segments = [];
        this.count = 0;
    }

    add(segment) {
        this.segments.push(segment);
        this.count += segment.count;
    }

    // The numbers of one frame, row after row, in `out`.
    frame(frame, out = new Float64Array(this.size)) {
        let at = frame;
        let segment = this.segments[0];
        for (let i = 1; at >= segment.count && i < this.segments.length; i++) {
            at -= segment.count;
            segment = this.segments[i];
        }
        segment.open();
        const {numbers, scales} = segment;
        const from = at * this.size;
        if (segment.code !== 'u2') {
            for (let i = 0; i < this.size; i++) out[i] = numbers[from + i];
            return out;
        }
        const c = this.columns;
        const s = at * c * 2;
        for (let i = 0, k = 0; i < this.size; i++) {
            out[i] = scales[s + 2 * k] + scales[s + 2 * k + 1] * numbers[from + i];
            if (++k === c) k = 0;
        }
        return out;
    }

    // One component against the frames.
    series(component) {
        const out = new Float64Array(this.count);
        const scratch = new Float64Array(this.size);
        for (let i = 0; i < this.count; i++) out[i] = this.frame(i, scratch)[component];
        return out;
    }

    // The unit of a column: "rad/s, m/s" is that of the first and of the second half.
    unitOf(column) {
        const parts = this.unit.split(', ');
        const unit = parts.length === 2 ? parts[column < this.columns / 2 ? 0 : 1] : this.unit;
        return unit === '1' ? '' : unit;
    }

    // Where along the rod the rows are, from 0 to 1; `between`: in the middle of elements.
    fractions(between) {
        return Float64Array.from({length: this.rows}, (_, i) => {
            const row = Math.min(i * this.row_stride, this.all_rows - 1);
            return between ? (row + 0.5) / this.all_rows : row / Math.max(this.all_rows - 1, 1);
        });
    }
}

export class Run {
    constructor(head, block) {
        Object.assign(this, head);
        this.channels = head.channels.map((about, i) => new Channel(about, i));
        this.count = 0;
        this.append(head, block);
    }

    append(head, block) {
        this.outcome = head.outcome;
        this.verdict = head.verdict;
        this.warnings = head.warnings ? head.warnings.split('\n') : [];
        this.frames = head.frames;
        this.next = head.end;
        if (!head.count) return;
        head.channels.forEach((about, i) => {
            this.channels[i].add(new Segment(head.count, about.code, () => block(`b${i}`), () => block(`s${i}`)));
        });
        this.count += head.count;
        this.axis = this.channels[0].series(0);
    }

    find(path) {
        const full = this.object ? `${this.object}/${path}` : path;
        return this.channels.find((c) => c.path === full) || null;
    }

    // The names of the rods (or rigid bodies) of an assembly: what has such a channel.
    objects(name) {
        return this.channels.filter((c) => c.object && c.name === name).map((c) => c.object);
    }

    // The run as that of one rod of an assembly.
    of(object) {
        const part = Object.create(this), {config} = this, rod = config?.rods?.[object];
        part.object = object;
        part.config = rod ? {...rod, loads: [...(config.loads ?? []), ...(rod.loads ?? [])]} : null;
        return part;
    }

    // Itself, or its first rod.
    get firstRod() {
        const [rod] = this.objects('position');
        return rod === undefined ? this : this.of(rod);
    }

    get timed() {
        return this.channels[0].name === 'time';
    }

    // Place on the axis at a frame number that need not be whole.
    at(position) {
        const i = Math.max(0, Math.min(Math.floor(position), this.count - 1));
        const j = Math.min(i + 1, this.count - 1);
        return this.axis[i] + (position - i) * (this.axis[j] - this.axis[i]);
    }

    // Where a run that marches is at a time: a frame number that need not be whole.
    positionAt(x) {
        let low = 0, high = this.count - 1;
        if (high < 1 || x <= this.axis[0]) return 0;
        if (x >= this.axis[high]) return high;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.axis[middle] <= x) low = middle;
            else high = middle;
        }
        return low + (x - this.axis[low]) / (this.axis[high] - this.axis[low] || 1);
    }

    // The frame nearest to a place on the axis; an axis need not be monotonous.
    nearest(x) {
        let best = 0;
        for (let i = 1; i < this.count; i++) if (Math.abs(this.axis[i] - x) < Math.abs(this.axis[best] - x)) best = i;
        return best;
    }
}

// Script blocks of the page, freed once read.
export function pageBlock(name) {
    const element = document.getElementById(name);
    const text = element ? element.textContent : '';
    element?.remove();
    return text;
}

export const decodeFloats = (text) => new Float32Array(decode(text));
