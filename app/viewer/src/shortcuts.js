// Keys: everything that the mouse can do.

export const keys = [
    [' ', 'Space', 'play, pause'], ['ArrowRight', '→', 'one frame forth'], ['ArrowLeft', '←', 'one frame back'],
    ['Home', 'Home', 'to the start'], ['End', 'End', 'to the end'], ['+', '+', 'faster'], ['-', '−', 'slower'],
    ['l', 'L', 'loop'], ['t', 'T', 'trail'], ['g', 'G', 'ghosts'], ['f', 'F', 'material frames'],
    ['e', 'E', 'ends and loads'],
    ['p', 'P', 'side by side'], ['v', 'V', 'camera goes with the rod'], ['c', 'C', 'next colour'],
    ['d', 'D', 'light, dark'],
    ['w', 'W A S X', 'turn the camera'], ['i', 'I O', 'nearer, farther'], ['1', '1 – 4', 'camera'],
    ['?', '?', 'this list'],
];

// `act` has a function for each key. Keys that a control needs itself are left to it.
export function listen(act) {
    document.addEventListener('keydown', (e) => {
        if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
        const on = e.target, name = on?.tagName;
        if (document.querySelector('dialog[open]')) return;
        if (name === 'SELECT' || name === 'TEXTAREA') return;
        if (e.key === ' ' && (name === 'BUTTON' || name === 'SUMMARY')) return;
        if (name === 'INPUT' && ['ArrowRight', 'ArrowLeft', 'Home', 'End'].includes(e.key)) return;
        const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
        if (!Object.hasOwn(act, key)) return;
        act[key]();
        e.preventDefault();
    });
}
