// The viewer in a real browser. usage: node browser.mjs TASKS.json; started by test_viewer.py, which makes the pages.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import {join} from 'node:path';
import assert from 'node:assert/strict';

import {Pixels} from './pixels.mjs';

const task = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const require = createRequire(join(task.modules, 'package.json'));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const browser = await chromium.launch({executablePath: task.chromium,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync']});
const pixels = await Pixels.open(browser);
let failures = 0;
const opened = [];
const timeout = 120000; // ms; a busy machine is not a failure

// A page with a record of everything that it should not do.
async function open(address, options = {}) {
    const page = await browser.newPage({viewport: {width: 900, height: 540}, reducedMotion: 'reduce',
        colorScheme: 'light', ...options});
    page.setDefaultTimeout(timeout);
    page.trouble = [];
    opened.push(page);
    page.on('console', (m) => page.trouble.push(`${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => page.trouble.push(`error: ${e.message}`));
    page.on('request', (r) => {
        if (r.url() !== address && !r.url().startsWith('data:') && !r.url().startsWith('blob:')
            && !r.url().startsWith(`${address}run?`)) page.trouble.push(`asks for ${r.url()}`);
    });
    page.on('dialog', (d) => {
        page.trouble.push(`dialog: ${d.message()}`);
        d.dismiss();
    });
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, {timeout});
    return page;
}

const settle = (page) => page.evaluate(() =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
async function shot(page) {
    await page.evaluate(() => document.activeElement?.blur()); // no ring round what has the focus
    await settle(page);
    return page.locator('#view').screenshot({animations: 'disabled'});
}
const frame = (page) => page.evaluate(() => Number(document.documentElement.dataset.frame));

async function accessible(page, what) {
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
    const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${what}: ${v.id} ${v.nodes.map((n) => n.target).join(' ')}`), []);
}

const checks = {
    async 'a moving rod is drawn, and moves'(address, name) {
        const page = await open(address);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.viewer), name);
        const first = await shot(page);
        assert.ok(await pixels.coloured(first) > 0.02, 'the rod has colours');
        await page.click('#play');
        await page.waitForFunction(() => Number(document.documentElement.dataset.frame) > 4);
        await page.click('#play');
        const later = await shot(page);
        assert.ok(await pixels.difference(first, later) > 0.02, 'it moved');
        // the same moment gives the same picture
        await page.keyboard.press('Home');
        assert.ok(await pixels.difference(first, await shot(page)) < 0.001, 'back at the start');
        assert.deepEqual(page.trouble, []);
        return page;
    },

    async 'mouse: scrubs, turns, zooms, picks in a plot'(page) {
        const box = await page.locator('#scrub').boundingBox();
        await page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
        const middle = await frame(page), last = await page.evaluate(() => globalThis.withyViewer.run.count - 1);
        assert.ok(Math.abs(middle - last / 2) < last * 0.1, `scrubbed to ${middle} of ${last}`);
        const before = await shot(page), view = await page.locator('#view').boundingBox();
        await page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);
        await page.mouse.down();
        await page.mouse.move(view.x + view.width / 2 + 120, view.y + view.height / 2 + 30, {steps: 4});
        await page.mouse.up();
        const turned = await shot(page);
        assert.ok(await pixels.difference(before, turned) > 0.02, 'a drag turns');
        await page.mouse.wheel(0, 400);
        assert.ok(await pixels.difference(turned, await shot(page)) > 0.02, 'the wheel zooms');
        await page.keyboard.press('1');
        assert.ok(await pixels.difference(before, await shot(page)) < 0.001, 'a preset goes back');
        const plot = await page.locator('#plots .plot').first().boundingBox();
        await page.mouse.click(plot.x + plot.width * 0.9, plot.y + plot.height * 0.4);
        assert.ok(await frame(page) > last * 0.7, 'a click in a plot chooses the moment');
        assert.deepEqual(page.trouble, []);
    },

    async 'the accuracy of a run stands above it'(address, warned) {
        const page = await open(address);
        assert.match(await page.textContent('#verdict-line'), /^shape within .*, moments within/);
        assert.ok(!(await page.locator('#verdict').evaluate((badge) => badge.classList.contains('warned'))));
        assert.match(await page.textContent('#facts'), /Accuracy\s*shape within/);
        await page.close();
        const other = await open(warned);
        assert.match(await other.textContent('#verdict-line'), /^with warnings: shape unknown.*trusted at no time$/);
        assert.ok(!(await other.locator('#verdict-why').isVisible()));
        await other.click('#verdict-line');
        assert.ok(await other.locator('#verdict-why li').first().isVisible());
        assert.match(await other.textContent('#verdict-why'), /the motion is off by an unknown amount/);
        await accessible(other, 'with warnings');
        assert.deepEqual(other.trouble, []);
        await other.close();
    },

    async 'keys alone reach everything'(page) {
        await page.evaluate(() => document.activeElement?.blur());
        const seen = new Set();
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press('Tab');
            seen.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent
                || ''));
        }
        for (const id of ['theme', 'view', 'Angle', 'play', 'scrub', 'speed', 'colour', 'trail', 'any-channel'])
            assert.ok(seen.has(id), `${id} is not reached: ${[...seen]}`);
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press('Home');
        assert.equal(await frame(page), 0);
        for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
        assert.equal(await frame(page), 3);
        await page.keyboard.press('ArrowLeft');
        assert.equal(await frame(page), 2);
        await page.keyboard.press('End');
        let last = await shot(page);
        for (const [key, least] of [['g', 0.01], ['t', 0.0005], ['f', 0.0005], ['e', 0.002], ['c', 0.001], ['2', 0.02],
            ['d', 0.3]]) {
            await page.keyboard.press(key);
            const next = await shot(page), differ = await pixels.difference(last, next);
            assert.ok(differ > least, `key ${key} changes ${differ} of the picture`);
            last = next;
        }
        await page.keyboard.press(' ');
        assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause');
        await page.keyboard.press(' ');
        await page.keyboard.press('?');
        assert.ok(await page.locator('#help').isVisible());
        await page.keyboard.press('Escape');
        assert.ok(!(await page.locator('#help').isVisible()));
        assert.deepEqual(page.trouble, []);
    },

    async 'accessible in light and dark'(page) {
        await accessible(page, 'one theme');
        await page.click('#theme');
        await accessible(page, 'the other theme');
    },

    async 'its policy stops what is not its own'(page) {
        const found = await page.evaluate(async () => {
            const said = [];
            document.addEventListener('securitypolicyviolation', (e) => said.push(e.violatedDirective));
            const script = document.createElement('script');
            script.textContent = 'globalThis.strange = 1';
            document.body.append(script);
            const image = document.createElement('div');
            image.innerHTML = '<img src=x onerror="globalThis.strange = 1"><p style="color:red">';
            document.body.append(image);
            const asked = await fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused');
            await new Promise((done) => setTimeout(done, 100));
            image.remove();
            script.remove();
            return {said, asked, strange: globalThis.strange};
        });
        assert.equal(found.strange, undefined);
        assert.equal(found.asked, 'refused');
        for (const rule of ['script-src-elem', 'script-src-attr', 'connect-src', 'img-src'])
            assert.ok(found.said.includes(rule), `${rule}: ${found.said}`);
    },

    async 'fits on a phone'(address) {
        const page = await open(address, {viewport: {width: 360, height: 740}, hasTouch: true});
        const [width, scroll] = await page.evaluate(() =>
            [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
        assert.ok(scroll <= width, `${scroll} px wide on ${width}`);
        assert.ok(await pixels.coloured(await shot(page)) > 0.01);
        const small = await page.evaluate(() => [...document.querySelectorAll('button, select, input')]
            .filter((e) => e.offsetParent && e.getBoundingClientRect().right > 361).map((e) => e.id));
        assert.deepEqual(small, []);
        await page.tap('#play');
        await page.waitForFunction(() => Number(document.documentElement.dataset.frame) > 0, null);
        await accessible(page, 'phone');
        assert.deepEqual(page.trouble, []);
        await page.close();
    },

    async 'a diagram shows what is clicked, stability and moving modes'(address) {
        const page = await open(address);
        const point = (want) => page.evaluate((w) => {
            const d = globalThis.withyViewer.diagram;
            const i = d.negative.findIndex((n, k) => (w === 'stable' ? n === 0 : n > 0) && k > 2
                && globalThis.withyViewer.run.modes[k]);
            const box = d.plotArea.getBoundingClientRect();
            return {i, x: box.x + (d.px[i] / 360) * box.width, y: box.y + (d.py[i] / 260) * box.height};
        }, want);
        for (const want of ['unstable', 'stable']) {
            const p = await point(want);
            await page.mouse.click(p.x, p.y);
            await settle(page);
            const [shown, negative] = await page.evaluate(() => {
                const v = globalThis.withyViewer;
                return [Number(document.documentElement.dataset.frame),
                    v.diagram.negative[Number(document.documentElement.dataset.frame)]];
            });
            assert.ok(want === 'stable' ? negative === 0 : negative > 0,
                `asked for ${want}, frame ${shown} has ${negative}`);
            assert.match(await page.textContent('#solution'), want === 'stable' ? /\bstable/
                : /unstable, \d direction/);
        }
        const still = await shot(page);
        assert.ok(await pixels.difference(still, await shot(page)) < 0.001);
        await page.click('.modes button >> nth=0');
        const moving = [];
        for (let i = 0; i < 3; i++) moving.push(await pixels.difference(still, await shot(page)));
        assert.ok(Math.max(...moving) > 0.01 && Math.max(...moving) > 1.05 * Math.min(...moving),
            `the mode moves the rod: ${moving}`);
        await page.click('.modes button >> nth=0');
        assert.ok(await pixels.difference(still, await shot(page)) < 0.001, 'and lets it rest again');
        assert.deepEqual(page.trouble, []);
        await accessible(page, 'diagram');
        await page.close();
    },

    async 'a sweep is shown side by side, with loads as they are'(address) {
        const page = await open(address);
        const one = await shot(page);
        await page.keyboard.press('End');
        const end = await shot(page);
        assert.ok(await pixels.difference(one, end) > 0.01);
        await page.click('#parallel');
        assert.ok(await pixels.difference(end, await shot(page)) > 0.05);
        assert.match(await page.textContent('#facts'), /rectangle.*tapered/s);
        assert.deepEqual(page.trouble, []);
        await page.close();
    },

    async 'all rods and rigid bodies of an assembly are drawn'(address) {
        const page = await open(address);
        const first = await shot(page);
        await page.keyboard.press('End');
        assert.ok(await pixels.difference(first, await shot(page)) > 0.002, 'it moves');
        const drawn = await page.evaluate(() => {
            const v = globalThis.withyViewer;
            return {rods: v.rods().map((rod) => rod.id), offsets: v.overlays.offsets(v.stage).flat(),
                bodies: v.bodies.map((body) => body.name)};
        });
        assert.equal(drawn.rods.length, 4);
        assert.ok(drawn.offsets.every((x) => x === 0), 'rods are where they are');
        assert.deepEqual(drawn.bodies, ['plate', 'camera']);
        const facts = await page.textContent('#facts');
        assert.match(facts, /leg1, leg2, leg3, arm/);
        assert.match(facts, /plate, camera/);
        assert.deepEqual(page.trouble, []);
        await page.close();
    },
    async 'several runs move side by side'(address, names) {
        const page = await open(address);
        const listed = await page.locator('#facts ol li').allTextContents();
        assert.equal(listed.length, names.length);
        names.forEach((name, i) => assert.ok(listed[i].includes(name), `${listed[i]}: ${name}`));
        const first = await shot(page);
        await page.keyboard.press('End');
        assert.ok(await pixels.difference(first, await shot(page)) > 0.02, 'they move');
        // one scale of colours: that of the run with the largest numbers
        const ranges = await page.evaluate(() => {
            const v = globalThis.withyViewer;
            return [v.quantity, ...v.overlays.list.map((c) => c.quantities.find((q) => q.key === v.quantity.key))]
                .map((q) => q.range().join());
        });
        assert.equal(new Set(ranges).size, 1, ranges.join(' | '));
        assert.deepEqual(page.trouble, []);
        await page.close();
    },

    async 'hostile names are shown as text'(address) {
        const page = await open(address);
        const [title, body, strange] = await page.evaluate(() =>
            [document.title, document.body.innerText, globalThis.strange]);
        assert.equal(strange, undefined);
        assert.ok(title.includes('</script><script>globalThis.strange=1</script>'), title);
        assert.equal(await page.locator('img, iframe, object').count(), 0);
        assert.ok(body.includes('<img src=x onerror=globalThis.strange=1>'), body.slice(0, 400));
        assert.ok(await page.evaluate(() => [...document.querySelectorAll('option')]
            .some((o) => o.textContent.includes('<b>channel<&b>'))));
        assert.deepEqual(page.trouble, []);
        await page.close();
    },

    async 'every kind of run has a picture'(addresses) {
        for (const address of addresses) {
            const page = await open(address);
            assert.ok(await pixels.coloured(await shot(page)) > 0.002, address);
            const titles = await page.locator('#plots h2, #plots h3').allTextContents();
            if (/shaft|rigid-body/.test(address)) { // their energy changes by work, or not at all
                assert.ok(titles.length > 1 && !titles.some((t) => t.includes('energy balance')), String(titles));
                const changes = titles.some((t) => t.startsWith('Change of the energy'));
                assert.equal(changes, /shaft/.test(address), String(titles));
            }
            assert.deepEqual(page.trouble, [], address);
            await page.close();
        }
    },

    async 'a long run opens fast'(address) {
        const load = () => Math.max(1, os.loadavg()[0] / os.cpus().length);
        const times = [];
        for (let i = 0; i < 3 && !(Math.min(...times) < 1500); i++) {
            const page = await open(address);
            times.push(await page.evaluate(() => Number(document.documentElement.dataset.ready)));
            if (i === 0) {
                const [count, frames] = await page.evaluate(() =>
                    [globalThis.withyViewer.run.count, globalThis.withyViewer.run.frames]);
                assert.equal(count, frames);
                assert.ok(await pixels.coloured(await shot(page)) > 0.002);
                const drawn = await page.evaluate(() => {
                    const v = globalThis.withyViewer, from = performance.now();
                    for (let k = 0; k < 20; k++) {
                        v.player.go(k * 37);
                        v.draw();
                        v.scene.renderer?.getContext().finish();
                    }
                    return (performance.now() - from) / 20;
                });
                console.log(`     ${frames} frames; one picture of 50 elements takes ${drawn.toFixed(1)} ms ` +
                            `(software WebGL, load ${os.loadavg()[0].toFixed(1)})`);
            }
            assert.deepEqual(page.trouble, []);
            await page.close();
        }
        console.log(`     first picture after ${times.map((t) => `${t} ms`).join(', ')} ` +
                    `(load ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} processors)`);
        assert.ok(Math.min(...times) < 2000 * load(), `first picture after ${Math.min(...times)} ms`);
    },

    async 'a run is followed while it computes'(address, grow) {
        const page = await open(address);
        const before = await page.evaluate(() => globalThis.withyViewer.run.count);
        await fetch(grow);
        await page.waitForFunction((n) => globalThis.withyViewer.run.count > n, before);
        await settle(page);
        assert.equal(await frame(page), await page.evaluate(() => globalThis.withyViewer.run.count - 1));
        assert.deepEqual(page.trouble, []);
        await page.close();
    },
};

async function check(name, ...args) {
    const from = Date.now();
    try {
        const result = await checks[name](...args);
        console.log(`ok   ${name} (${Date.now() - from} ms)`);
        return result;
    } catch (trouble) {
        failures++;
        console.log(`FAIL ${name}: ${trouble.stack}`);
        for (const page of opened.splice(0)) await page.close();
        return null;
    }
}

// only the parts that the task names are run
for (const [name, address] of Object.entries(task.moving ?? {})) {
    const page = await check('a moving rod is drawn, and moves', address, name);
    if (!page) continue;
    console.log(`     the ${name} viewer`);
    await check('mouse: scrubs, turns, zooms, picks in a plot', page);
    await check('keys alone reach everything', page);
    await check('accessible in light and dark', page);
    await check('its policy stops what is not its own', page);
    await page.close();
    await check('fits on a phone', address);
}
if (task.branches) await check('a diagram shows what is clicked, stability and moving modes', task.branches);
if (task.sweep) await check('a sweep is shown side by side, with loads as they are', task.sweep);
if (task.warned) await check('the accuracy of a run stands above it', task.sweep, task.warned);
if (task.several) await check('several runs move side by side', task.several, task.several_names);
if (task.assembly) await check('all rods and rigid bodies of an assembly are drawn', task.assembly);
if (task.hostile) await check('hostile names are shown as text', task.hostile);
if (task.others) await check('every kind of run has a picture', task.others);
if (task.long) await check('a long run opens fast', task.long);
if (task.served) await check('a run is followed while it computes', task.served, task.grow);
await browser.close();
process.exit(failures ? 1 : 0);
