// Pictures of the pages in a folder, and the page that shows them. usage: node take.mjs WORK GALLERY EXAMPLES
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const [work, gallery, examples] = process.argv.slice(2);
const {chromium} = createRequire(join(work, 'package.json'))('playwright-core');

// For each scene: the time of the picture as a fraction of the run, the keys pressed, the thickness of the rod.
// The default is a third of the run, with ghosts and trail.
const scenes = {
    'accurate-cantilever': [0.1, 'gt', 3],
    'cantilever-release': [0.13, 'gt', 3],
    elbow: [0.4, 't'],
    'flying-rod': [0.62, 'gt'],
    helix: [0.4, ''],
    'rigid-body': [0.3, ''],
    shaft: [0.5, 'cc'],
    'soft-rod': [0.08, 'gt'],
    'spring-steel-strip': [1, 'g'],
    'twist-shortening': [0.5, 'p'],
    'twist-shortening-branches': [0.93, ''],
    'swaying-table': [0.33, ''],
    'tree-in-the-wind': [0.4, ''],
    'twisted-rod': [0.93, ''],
};

const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: [
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});
const names = readFileSync(join(work, 'names'), 'utf8').trim().split('\n');
const cards = [];
for (const name of names) {
    const viewport = {width: 1120, height: 640};
    const page = await browser.newPage({viewport, reducedMotion: 'reduce', colorScheme: 'light'});
    page.setDefaultTimeout(120000);
    await page.goto(`file://${join(work, `${name}.html`)}`);
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    const [at, keys, thick = 1] = scenes[name] ?? [0.33, 'gt'];
    const there = await page.evaluate((part) => {
        const viewer = globalThis.withyViewer;
        viewer.player.play(false);
        viewer.player.go(Math.round(part * (viewer.run.count - 1)));
        return !!viewer.subject;
    }, at);
    await page.selectOption('#thickness', String(thick));
    for (const key of keys) await page.keyboard.press(key);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForTimeout(300);
    const path = join(gallery, `${name}.jpg`);
    await page.locator(there ? '#stage' : '#side').screenshot({path, type: 'jpeg', quality: 78});
    const text = readFileSync(join(examples, `${name}.yaml`), 'utf8');
    const about = (text.match(/^(#.*\n)+/)?.[0] ?? '').replace(/^# ?/gm, '').trim().replace(/\n/g, ' ');
    cards.push({name, about, title: await page.evaluate(() => document.getElementById('title').textContent)});
    console.log(`${name} ${Math.round(statSync(path).size / 1000)} kB`);
    await page.close();
}
await browser.close();
const rows = [];
for (let i = 0; i < cards.length; i += 2) {
    const pair = cards.slice(i, i + 2);
    const cell = ({name, title, about}) => {
        const scenario = `../../examples/${name}.yaml`;
        return `[![${title}](${name}.jpg)](${scenario})<br>**${title}**<br>${about}<br>[${name}.yaml](${scenario})`;
    };
    rows.push(`| ${pair.map(cell).join(' | ')} |${pair.length < 2 ? ' |' : ''}`);
}
writeFileSync(join(gallery, 'README.md'), `# Gallery

Every scenario of [examples](../../examples), as \`withy view\` shows it. Made by \`./dev gallery\`.

| | |
|---|---|
${rows.join('\n')}
`);
