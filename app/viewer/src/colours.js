// Colour scales of even lightness, made in OKLab: one from dark to light for sizes, one with a pale middle for signed
// numbers.

function oklch(l, c, h) {
    const a = c * Math.cos(h), b = c * Math.sin(h);
    const [p, q, r] = [l + 0.3963377774 * a + 0.2158037573 * b, l - 0.1055613458 * a - 0.0638541728 * b,
        l - 0.0894841775 * a - 1.291485548 * b].map((x) => x ** 3);
    return [4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r,
        -1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r,
        -0.0041960863 * p - 0.7034186147 * q + 1.707614701 * r].map((x) => Math.min(1, Math.max(0, x)));
}

const steps = 256;
const table = (colour) => Float32Array.from({length: steps * 3},
    (_, i) => colour(Math.floor(i / 3) / (steps - 1))[i % 3]);
const degrees = Math.PI / 180;

// linear light, as lamps want it
export const sequential = table((x) => oklch(0.34 + 0.53 * x, 0.115 - 0.012 * Math.sin(Math.PI * x) + 0.02 * x,
    (295 - 203 * x ** 0.92) * degrees));
export const diverging = table((x) => {
    const t = 2 * x - 1;
    return oklch(0.86 - 0.36 * Math.abs(t) ** 1.1, 0.015 + 0.15 * Math.abs(t) ** 0.8, (t < 0 ? 255 : 32) * degrees);
});

export function pick(map, x, out, j) {
    const i = 3 * Math.round(Math.min(1, Math.max(0, x)) * (steps - 1));
    out[j] = map[i]; out[j + 1] = map[i + 1]; out[j + 2] = map[i + 2];
}

const gamma = (x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
export const css = (rgb) => `rgb(${gamma(rgb[0])}, ${gamma(rgb[1])}, ${gamma(rgb[2])})`;
export const hex = (text) => [1, 3, 5].map((i) => {
    const x = parseInt(text.slice(i, i + 2), 16) / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
});

// Lines of plots: told apart by lightness too, and by people who see fewer colours.
export const lineColours = {
    light: ['#0b6e99', '#c2570c', '#2f7d32', '#8a3fa0', '#7a5c00', '#c02660'],
    dark: ['#5bb8e8', '#f59e57', '#7cc47f', '#c78be0', '#d9b64a', '#f07fa8'],
};
export const lineDashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [], [7, 3]];

export const paint = {
    light: {ground: hex('#f6f5f1'), grid: hex('#c9c7bd'), rod: hex('#8c6239'), support: hex('#4a525e'),
    moved: hex('#1f6f5c'),
        force: hex('#b3261e'), moment: hex('#7a3ea8'), gravity: hex('#5d6470'), trail: hex('#c2570c'),
        ghost: hex('#7d8794'),
        fog: '#f6f5f1', frame: [hex('#c62828'), hex('#2e7d32'), hex('#1565c0')]},
    dark: {ground: hex('#14171b'), grid: hex('#3a4048'), rod: hex('#c99a62'), support: hex('#9aa3b0'),
    moved: hex('#5cc2a5'),
        force: hex('#ff7a6e'), moment: hex('#c78be0'), gravity: hex('#a5abb5'), trail: hex('#f59e57'),
        ghost: hex('#8892a0'),
        fog: '#14171b', frame: [hex('#ff6b6b'), hex('#6fce73'), hex('#64a8ff')]},
};
