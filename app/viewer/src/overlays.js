// Further runs of a page, which move beside the first one: the points of a sweep; and the other rods of an assembly,
// where they are.
import {diverging, paint, pick, sequential} from './colours.js';
import {pageBlock, Run} from './data.js';
import {add} from './maths.js';
import {element} from './plots.js';
import {quantitiesOf} from './quantities.js';
import {RodShape} from './rod.js';
import {Poser, subjectOf} from './subject.js';
import {configAt, symbols} from './things.js';

class Overlay {
    constructor(run, joined = false) {
        this.run = run;
        this.joined = joined; // to the rod that is drawn first
        this.subject = subjectOf(run);
        if (!this.subject) return;
        this.section = this.subject.section;
        this.poser = new Poser(this.subject, run);
        this.shape = new RodShape(this.subject.fractions, this.subject.length);
        this.quantities = quantitiesOf(run, this.section, this.subject.length);
        this.levels = new Float32Array(this.shape.count);
        this.colours = new Float32Array(3 * this.shape.count);
    }

    // The run at the moment of another one: the same time, or as far along.
    set(main, position) {
        this.position = this.run.timed && main.timed ? this.run.positionAt(main.at(position))
            : (position / Math.max(main.count - 1, 1)) * (this.run.count - 1);
        const {p, q} = this.poser.at(this.position);
        this.shape.set(p, q);
    }

    paintBy(key, theme) {
        const q = this.quantities.find((one) => one.key === key);
        if (!q) {
            const c = paint[theme].rod;
            for (let i = 0; i < this.colours.length; i++) this.colours[i] = c[i % 3];
            return;
        }
        q.levels(Math.round(this.position), this.shape.s, this.levels);
        for (let i = 0; i < this.levels.length; i++)
            pick(q.signed ? diverging : sequential, this.levels[i], this.colours, 3 * i);
    }
}

export class Overlays {
    constructor(main) {
        this.list = main.objects('position').slice(1).map((object) => new Overlay(main.of(object), true))
            .filter((overlay) => overlay.subject);
        for (let i = 1; document.getElementById(`r${i}run`); i++) {
            const overlay = new Overlay(new Run(JSON.parse(pageBlock(`r${i}run`)),
                (name) => pageBlock(`r${i}${name}`)));
            if (overlay.subject) this.list.push(overlay);
        }
    }

    // How far from the first one each stands.
    offsets(stage) {
        const joined = this.list.filter((c) => c.joined).length;
        const step = stage.extent * Math.min(0.45, 4 / (this.list.length - joined + 1));
        return this.list.map((c, i) => stage.front.map((x) => (c.joined ? 0 : -x * step * (i - joined + 1))));
    }

    // One scale of colours for all.
    adopt(quantity) {
        if (!quantity || !this.list.length) return;
        const all = [quantity, ...this.list.map((c) => c.quantities.find((q) => q.key === quantity.key))
            .filter(Boolean)];
        const ranges = all.map((q) => q.range()), signed = all.some((q) => q.signed);
        let [low, high] = [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
        if (signed) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
        for (const q of all) {
            q.signed = signed;
            q.known = {count: q.channel.count, range: [low, high, ranges.every((r) => r[2]) && !(high > low)]};
        }
    }

    rods(stage, main, position, quantity, theme, thickness) {
        const offsets = this.offsets(stage);
        return this.list.map((c, i) => {
            c.set(main, position);
            c.paintBy(quantity?.key, theme);
            return {id: `run${i + 1}`, shape: c.shape, section: c.section, offset: offsets[i], thickness, opacity: 1,
                colours: c.colours};
        });
    }

    symbols(stage, theme) {
        const offsets = this.offsets(stage);
        return this.list.flatMap((c, i) =>
            symbols(configAt(c.run, c.position), c.position, c.shape, c.section, stage.extent, paint[theme])
            .map((s) => ({...s, at: add(s.at, offsets[i]), ...(s.to ? {to: add(s.to, offsets[i])} : {})})));
    }

    // What tells the runs apart, in words.
    describe(parent, main) {
        const apart = this.list.filter((c) => !c.joined);
        if (!apart.length) return;
        const card = element('section', 'card'), list = element('ol');
        card.append(element('h2', '', 'Side by side, from the front'), list);
        for (const run of [main, ...apart.map((c) => c.run)]) {
            const set = run.overrides.join(', ');
            list.append(element('li', '', set ? `${run.file}: ${set}` : run.file));
        }
        parent.prepend(card);
    }
}
