// Bundles the viewer with three.js and uPlot into one script, their licences on top.
// usage: node bundle.mjs SOURCE FOLDER    (FOLDER has node_modules; writes FOLDER/three.js, FOLDER/three.css)
import {createRequire} from 'node:module';
import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

const [source, folder] = process.argv.slice(2).map((p) => resolve(p));
const {build} = createRequire(join(folder, 'package.json'))('esbuild');
const packages = join(folder, 'node_modules');

// What is said of a package must hold for the page as well: a "*/" or a tag inside would end the comment or the block.
function licence(name) {
    const about = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
    const text = readFileSync(join(packages, name, 'LICENSE'), 'utf8').trim();
    return `${name} ${about.version}\n\n${text}`.replaceAll('*/', '* /').replaceAll('</', '< /');
}

const banner = `/*! This page contains:\n\n${['three', 'uplot'].map(licence).join('\n\n----\n\n')}\n*/`;
const done = await build({
    entryPoints: [join(source, 'src/main_three.js')],
    bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, legalComments: 'none',
    charset: 'utf8', nodePaths: [packages], banner: {js: banner}, logLevel: 'error',
});
// "<!--" cannot stand in an inline script; three.js has none outside strings
writeFileSync(join(folder, 'three.js'), done.outputFiles[0].text.replaceAll('<!--', '<\\!--'));
writeFileSync(join(folder, 'three.css'),
    readFileSync(join(packages, 'uplot/dist/uPlot.min.css'), 'utf8') + '\n' +
    readFileSync(join(source, 'style.css'), 'utf8'));
