// A camera that goes round its target: up stays up. Shared by both ways to draw.
import {add, across, cross, dot, scale, size, sub, unit} from './maths.js';

export const fieldOfView = 32; // degrees, of the height

export class Camera {
    constructor() {
        this.target = [0, 0, 0];
        this.distance = 1;
        this.yaw = 0;
        this.pitch = 0.3;
        this.setUp([1, 0, 0], [0, 1, 0]);
    }

    // `front`: from where the front view looks, across up
    setUp(up, front) {
        this.up = unit(up);
        const flat = sub(front, scale(this.up, dot(front, this.up)));
        this.front = size(flat) > 1e-9 ? unit(flat) : across(this.up)[0];
        this.right = cross(this.up, this.front);
    }

    direction() {
        const c = Math.cos(this.pitch);
        return add(add(scale(this.front, c * Math.cos(this.yaw)), this.right, c * Math.sin(this.yaw)), this.up,
            Math.sin(this.pitch));
    }

    eye() {
        return add(this.target, this.direction(), this.distance);
    }

    // Right, up and towards the eye, as the picture has them.
    axes() {
        const back = this.direction();
        let across_ = cross(this.up, back);
        if (size(across_) < 1e-6) across_ = add(scale(this.right, Math.cos(this.yaw)), this.front, -Math.sin(this.yaw));
        const right = unit(across_);
        return {right, up: cross(back, right), back};
    }

    orbit(dx, dy) {
        this.yaw -= dx;
        this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + dy));
    }

    pan(dx, dy) {
        const {right, up} = this.axes();
        const k = 2 * this.distance * Math.tan((fieldOfView * Math.PI) / 360);
        this.target = add(add(this.target, right, -dx * k), up, dy * k);
    }

    zoom(factor) {
        this.distance = Math.max(this.home * 0.02, Math.min(this.home * 20, this.distance * factor));
    }

    // Moves back until the points, and `pad` round them, fill the picture.
    fit(points, aspect, middle, pad) {
        this.target = [...middle];
        const {right, up, back} = this.axes();
        const t = Math.tan((fieldOfView * Math.PI) / 360) * 0.9;
        let away = 1e-9;
        for (let i = 0; i < points.length; i += 3) {
            const d = [points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]];
            const x = (Math.abs(dot(d, right)) + pad) / (t * aspect), y = (Math.abs(dot(d, up)) + pad) / t;
            away = Math.max(away, Math.max(x, y) + dot(d, back));
        }
        this.distance = this.home = away;
    }
}

export const presets = [
    ['Angle', '1', -0.55, 0.32], ['Front', '2', 0, 0.0], ['Side', '3', -Math.PI / 2, 0.0], ['Top', '4', 0, 1.55],
];
