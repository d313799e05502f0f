// The scene in WebGL, through three.js: lit tubes with a shadow on the ground.
import * as THREE from 'three';
import {Line2} from 'three/addons/lines/Line2.js';
import {LineGeometry} from 'three/addons/lines/LineGeometry.js';
import {LineMaterial} from 'three/addons/lines/LineMaterial.js';
import {LineSegments2} from 'three/addons/lines/LineSegments2.js';
import {LineSegmentsGeometry} from 'three/addons/lines/LineSegmentsGeometry.js';
import {fieldOfView} from './camera.js';
import {paint} from './colours.js';
import {round125} from './maths.js';
import {arc} from './things.js';

const colourOf = (rgb) => new THREE.Color(rgb[0], rgb[1], rgb[2]);

// A tube of rings; its numbers are rewritten for each picture.
class Tube {
    constructor(shape, section) {
        const {points, faces} = section.outline, m = points.length, n = shape.count;
        this.n = n;
        this.m = m;
        const total = n * m + 2 * (m + 1);
        this.position = new Float32Array(3 * total);
        this.normal = new Float32Array(3 * total);
        this.colour = new Float32Array(3 * total).fill(1);
        const index = [];
        for (let i = 0; i + 1 < n; i++)
            for (const [a, b] of faces) {
                const [p, q, r, s] = [i * m + a, i * m + b, (i + 1) * m + a, (i + 1) * m + b];
                index.push(p, q, r, q, s, r);
            }
        for (let end = 0; end < 2; end++) {
            const from = n * m + end * (m + 1);
            for (const [a, b] of faces) index.push(from + m, from + (end ? a : b), from + (end ? b : a));
        }
        this.geometry = new THREE.BufferGeometry();
        this.geometry.setAttribute('position', new THREE.BufferAttribute(this.position, 3)
            .setUsage(THREE.DynamicDrawUsage));
        this.geometry.setAttribute('normal', new THREE.BufferAttribute(this.normal, 3)
            .setUsage(THREE.DynamicDrawUsage));
        this.geometry.setAttribute('color', new THREE.BufferAttribute(this.colour, 3).setUsage(THREE.DynamicDrawUsage));
        this.geometry.setIndex(index);
        this.material = new THREE.MeshStandardMaterial({vertexColors: true, roughness: 0.42, metalness: 0.04,
            side: THREE.DoubleSide});
        this.mesh = new THREE.Mesh(this.geometry, this.material);
        this.mesh.frustumCulled = false;
    }

    set(rod) {
        const {shape, section, colours, offset, thickness} = rod;
        const {points} = section.outline, {n, m, position, normal, colour} = this;
        const put = (v, i, x, y, nx, ny, nz) => {
            const c = 3 * i, f = 9 * i, {centre, frame} = shape;
            for (let k = 0; k < 3; k++) {
                position[3 * v + k] = centre[c + k] + x * frame[f + k] + y * frame[f + 3 + k] + offset[k];
                normal[3 * v + k] = nx * frame[f + k] + ny * frame[f + 3 + k] + nz * frame[f + 6 + k];
                colour[3 * v + k] = colours[c + k];
            }
        };
        for (let i = 0; i < n; i++) {
            const [kx, ky] = section.sizeAt(shape.s[i]).map((k) => k * thickness);
            for (let j = 0; j < m; j++) {
                const [x, y, nx, ny] = points[j];
                put(i * m + j, i, x * kx, y * ky, nx, ny, 0);
            }
        }
        for (let end = 0; end < 2; end++) {
            const i = end ? n - 1 : 0, [kx, ky] = section.sizeAt(shape.s[i]).map((k) => k * thickness);
            for (let j = 0; j <= m; j++) {
                const [x, y] = j < m ? points[j] : [0, 0];
                put(n * m + end * (m + 1) + j, i, x * kx, y * ky, 0, 0, end ? 1 : -1);
            }
        }
        for (const name of ['position', 'normal', 'color']) this.geometry.attributes[name].needsUpdate = true;
        const pale = rod.opacity < 1;
        if (this.material.transparent !== pale) this.material.needsUpdate = true;
        this.material.transparent = pale;
        this.material.opacity = rod.opacity;
        this.material.depthWrite = !pale;
        this.mesh.castShadow = !pale;
        this.mesh.receiveShadow = !pale;
    }

    dispose() {
        this.geometry.dispose();
        this.material.dispose();
    }
}

export class SceneThree {
    constructor(canvas) {
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 100);
        this.sky = new THREE.HemisphereLight(0xffffff, 0x8c8a80, 1.6);
        this.key = new THREE.DirectionalLight(0xffffff, 2.3);
        this.key.castShadow = true;
        this.key.shadow.mapSize.set(1024, 1024);
        this.key.shadow.radius = 5;
        this.rim = new THREE.DirectionalLight(0xcfe0ff, 0.7);
        this.scene.add(this.sky, this.key, this.key.target, this.rim, this.rim.target);
        this.floor = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({opacity: 0.16}));
        this.floor.receiveShadow = true;
        this.scene.add(this.floor);
        this.tubes = new Map();
        this.pool = [];
        this.lines = [];
        this.box = new THREE.BoxGeometry(1, 1, 1);
        this.ball = new THREE.SphereGeometry(1, 24, 16);
        this.rodOf = new THREE.CylinderGeometry(1, 1, 1, 16);
        this.cone = new THREE.ConeGeometry(1, 1, 20);
        this.setTheme('light');
    }

    setSize(width, height, ratio) {
        this.width = width;
        this.height = height;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
    }

    setTheme(theme) {
        this.theme = theme;
        this.scene.background = colourOf(paint[theme].ground);
        this.sky.intensity = theme === 'dark' ? 1.15 : 1.7;
        this.floor.material.opacity = theme === 'dark' ? 0.4 : 0.15;
        if (this.stage) this.setStage(this.stage);
    }

    // stage: {up, right, front, middle, extent, floor: how far below the middle the ground is}
    setStage(stage) {
        this.stage = stage;
        const {extent} = stage;
        const v = (a) => new THREE.Vector3(a[0], a[1], a[2]);
        const middle = v(stage.middle), up = v(stage.up), front = v(stage.front), right = v(stage.right);
        const turn = new THREE.Matrix4().makeBasis(right, up.clone().cross(right), up);
        const ground = middle.clone().addScaledVector(up, -stage.floor);
        this.floor.setRotationFromMatrix(turn);
        this.floor.position.copy(ground);
        this.floor.scale.setScalar(extent * 12);
        this.key.position.copy(middle).addScaledVector(up, extent * 1.9).addScaledVector(front, extent * 1.1)
            .addScaledVector(right, -extent * 0.8);
        this.key.target.position.copy(middle);
        this.rim.position.copy(middle).addScaledVector(up, extent).addScaledVector(front, -extent * 2)
            .addScaledVector(right, extent);
        this.rim.target.position.copy(middle);
        const shadow = this.key.shadow.camera;
        [shadow.left, shadow.right, shadow.bottom, shadow.top] = [-extent, extent, -extent, extent];
        [shadow.near, shadow.far] = [extent * 0.1, extent * 6];
        shadow.updateProjectionMatrix();
        this.key.shadow.normalBias = extent * 3e-3;
        this.key.shadow.bias = -6e-4;
        // the grid on the ground: lines 1, 2 or 5 of a power of ten apart
        if (this.grid) {
            this.scene.remove(this.grid);
            this.grid.geometry.dispose();
            this.grid.material.dispose();
        }
        const step = round125(extent / 5), half = Math.ceil((1.6 * extent) / step), numbers = [], tones = [];
        const line = colourOf(paint[this.theme].grid), far = colourOf(paint[this.theme].ground);
        const tone = (i, j) => line.clone().lerp(far, Math.min(1, Math.hypot(i, j) / half));
        for (let i = -half; i <= half; i++)
            for (let j = -half; j < half; j++) {
                for (const [a, b, c, d] of [[i, j, i, j + 1], [j, i, j + 1, i]]) {
                    for (const [x, y] of [[a, b], [c, d]]) {
                        const p = ground.clone().addScaledVector(right, x * step).addScaledVector(front, y * step);
                        numbers.push(p.x, p.y, p.z);
                        const t = tone(x, y);
                        tones.push(t.r, t.g, t.b);
                    }
                }
            }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(numbers, 3));
        geometry.setAttribute('color', new THREE.Float32BufferAttribute(tones, 3));
        this.grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({vertexColors: true}));
        this.scene.add(this.grid);
    }

    // ---- symbols: meshes from a pool ----

    symbol(geometry, colour) {
        let mesh = this.pool[this.used];
        if (!mesh) {
            mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({roughness: 0.6}));
            mesh.castShadow = true;
            this.pool.push(mesh);
            this.scene.add(mesh);
        }
        this.used++;
        mesh.geometry = geometry;
        mesh.visible = true;
        mesh.material.color.setRGB(colour[0], colour[1], colour[2]);
        return mesh;
    }

    // A cylinder or a cone from a to b.
    stick(geometry, a, b, radius, colour) {
        const mesh = this.symbol(geometry, colour);
        const along = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]), long = along.length();
        if (!(long > 0)) {
            mesh.visible = false;
            return;
        }
        mesh.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
        mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(long));
        mesh.scale.set(radius, long, radius);
    }

    arrow(a, b, colour) {
        const r = this.stage.extent * 0.0055, d = [0, 1, 2].map((k) => b[k] - a[k]), long = Math.hypot(...d) || 1;
        const head = Math.min(long * 0.45, r * 7), neck = [0, 1, 2].map((k) => b[k] - (d[k] / long) * head);
        this.stick(this.rodOf, a, neck, r, colour);
        this.stick(this.cone, neck, b, r * 2.7, colour);
    }

    drawSymbols(symbols) {
        this.used = 0;
        for (const s of symbols) {
            if (s.sort === 'arrow') this.arrow(s.at, s.to, s.colour);
            if (s.sort === 'ball') {
                const mesh = this.symbol(this.ball, s.colour);
                mesh.position.set(...s.at);
                mesh.quaternion.identity();
                mesh.scale.setScalar(s.radius);
            }
            if (s.sort === 'block') {
                const mesh = this.symbol(this.box, s.colour);
                const m = new THREE.Matrix4().makeBasis(...[0, 3, 6]
                    .map((i) => new THREE.Vector3(s.frame[i], s.frame[i + 1], s.frame[i + 2])));
                mesh.position.set(...s.at);
                mesh.setRotationFromMatrix(m);
                mesh.scale.set(...s.size);
            }
            if (s.sort === 'turn') {
                const {points, head} = arc(s.at, s.axis, s.radius);
                for (let i = 0; i + 1 < points.length; i += 2)
                    this.stick(this.rodOf, points[i], points[i + 2], this.stage.extent * 0.004, s.colour);
                this.stick(this.cone, head[0], head[1], this.stage.extent * 0.013, s.colour);
            }
        }
        for (let i = this.used; i < this.pool.length; i++) this.pool[i].visible = false;
    }

    // ---- lines with a width ----

    drawLines(lines) {
        for (const old of this.lines) {
            this.scene.remove(old);
            old.geometry.dispose();
            old.material.dispose();
        }
        this.lines = lines.filter((l) => l.points.length >= 6).map((l) => {
            const geometry = l.segments ? new LineSegmentsGeometry() : new LineGeometry();
            geometry.setPositions(l.points);
            if (l.colours) geometry.setColors(l.colours);
            const material = new LineMaterial({linewidth: l.width, vertexColors: !!l.colours, transparent: true,
                opacity: l.opacity ?? 1,
                depthTest: !l.above});
            if (!l.colours) material.color.setRGB(...l.colour);
            material.resolution.set(this.width, this.height);
            const line = l.segments ? new LineSegments2(geometry, material) : new Line2(geometry, material);
            line.frustumCulled = false;
            this.scene.add(line);
            return line;
        });
    }

    drawRods(rods) {
        const seen = new Set();
        for (const rod of rods) {
            const sort = `${rod.id}:${rod.shape.count}:${rod.section.outline.points.length}`;
            seen.add(sort);
            let tube = this.tubes.get(sort);
            if (!tube) {
                tube = new Tube(rod.shape, rod.section);
                this.tubes.set(sort, tube);
                this.scene.add(tube.mesh);
            }
            if (!rod.fixed || tube.fixed !== rod.fixed) tube.set(rod);
            tube.fixed = rod.fixed;
        }
        for (const [sort, tube] of this.tubes) {
            if (seen.has(sort)) continue;
            this.scene.remove(tube.mesh);
            tube.dispose();
            this.tubes.delete(sort);
        }
    }

    draw({camera, rods, symbols, lines}) {
        this.drawRods(rods);
        this.drawSymbols(symbols);
        this.drawLines(lines);
        const eye = camera.eye(), {up, back, right} = camera.axes();
        const m = new THREE.Matrix4().makeBasis(...[right, up, back].map((a) => new THREE.Vector3(...a)));
        this.camera.position.set(...eye);
        this.camera.quaternion.setFromRotationMatrix(m);
        this.camera.aspect = this.width / this.height;
        this.camera.near = camera.distance * 0.02;
        this.camera.far = camera.distance + this.stage.extent * 12;
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
    }
}
