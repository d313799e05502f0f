// A run that still computes: asks the server of this page for further frames.

export async function follow(run, onFrames, onTrouble) {
    for (;;) {
        await new Promise((done) => setTimeout(done, 500));
        try {
            const reply = await fetch(`run?from=${run ? run.next : 0}`, {cache: 'no-store'});
            if (!reply.ok) throw new Error(await reply.text());
            const packet = await reply.json();
            if (packet.waiting) {
                onTrouble(`Waiting for the first frame: ${packet.waiting}`);
                continue;
            }
            if (!run) {
                location.reload();
                return;
            }
            onTrouble('');
            if (packet.frames < run.next) {
                location.reload(); // the run began anew
                return;
            }
            const changed = packet.count > 0 || packet.outcome !== run.outcome;
            if (packet.count > 0 || changed) {
                run.append(packet, (name) => packet[name]);
                onFrames();
            }
            if (packet.outcome !== 'running' && packet.count === 0) return;
        } catch (trouble) {
            onTrouble(`The server does not answer: ${trouble.message}`);
        }
    }
}
