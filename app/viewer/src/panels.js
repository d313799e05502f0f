// What the run is, in words. Everything here is set as text: names may come from anywhere.
import {describe} from './things.js';
import {readable} from './maths.js';
import {element} from './plots.js';

function list(title, facts) {
    const card = element('section', 'card');
    card.append(element('h2', '', title));
    const dl = element('dl');
    for (const [name, value] of facts) dl.append(element('dt', '', name), element('dd', '', value));
    card.append(dl);
    return card;
}

/** How accurate the run is: one line above the picture; what it warns of opens below. */
export function showVerdict(badge, line, why, run) {
    badge.hidden = !run.verdict;
    badge.classList.toggle('warned', run.warnings.length > 0);
    line.textContent = run.verdict;
    why.replaceChildren(...run.warnings.map((text) => element('li', '', text)));
}

export function showFacts(parent, run, subject, section) {
    parent.replaceChildren();
    const drawn = [];
    const rods = run.objects('position'), bodies = run.objects('centre');
    if (rods.length) drawn.push(['Rods', rods.join(', ')]);
    if (bodies.length) drawn.push(['Rigid bodies', bodies.join(', ')]);
    if (rods.length) drawn.push(...describe(run.config));
    else if (subject.sort === 'rod') {
        drawn.push(['Length', `${readable(subject.length)} m`], ['Section', section.text]);
        drawn.push(...describe(run.config));
    }
    if (run.config_problem) drawn.push(['Scenario',
        `not understood by this version, so ends and loads are not drawn: ${run.config_problem}`]);
    if (drawn.length) parent.append(list('What is drawn', drawn));
    const about = [['Archive', run.file], ['Written by', `withy ${run.version}`], ['Kind', run.kind],
        ['Outcome', run.outcome]];
    about.push(['Frames', run.count < run.frames ? `${run.count} shown of ${run.frames}` : String(run.frames)]);
    if (run.verdict) about.push(['Accuracy', run.verdict]);
    parent.append(list('The run', about));
    const details = element('details', 'card');
    const set = run.overrides.map((override) => `# --set ${override}`).join('\n');
    details.append(element('summary', '', 'Scenario'),
        element('pre', '', run.scenario + (set ? `\n# with\n${set}` : '')));
    details.querySelector('pre').tabIndex = 0;
    parent.append(details);
}
