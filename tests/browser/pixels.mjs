// What a picture shows: shares of pixels, counted in a page of its own.

export class Pixels {
    constructor(page) {
        this.page = page;
    }

    static async open(browser) {
        const page = await browser.newPage();
        await page.evaluate(() => {
            globalThis.read = async (text) => {
                const image = new Image();
                image.src = `data:image/png;base64,${text}`;
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext('2d');
                c.drawImage(image, 0, 0);
                return c.getImageData(0, 0, image.width, image.height).data;
            };
        });
        return new Pixels(page);
    }

    // The share of pixels that differ visibly between two pictures of one size.
    difference(a, b) {
        return this.page.evaluate(async ([one, two]) => {
            const [p, q] = [await globalThis.read(one), await globalThis.read(two)];
            if (p.length !== q.length) return 1;
            let n = 0;
            for (let i = 0; i < p.length; i += 4)
                if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 24) n++;
            return n / (p.length / 4);
        }, [a.toString('base64'), b.toString('base64')]);
    }

    // The share of pixels with a colour in them, which ground, grid, shadow and text have not.
    coloured(a) {
        return this.page.evaluate(async (text) => {
            const p = await globalThis.read(text);
            let n = 0;
            for (let i = 0; i < p.length; i += 4)
                if (Math.max(p[i], p[i + 1], p[i + 2]) - Math.min(p[i], p[i + 1], p[i + 2]) > 40) n++;
            return n / (p.length / 4);
        }, a.toString('base64'));
    }
}
