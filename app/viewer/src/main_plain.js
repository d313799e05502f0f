// The viewer without packages.
import {start} from './app.js';
import {PlotPlain} from './plot_plain.js';
import {ScenePlain} from './scene_plain.js';

start(ScenePlain, PlotPlain, 'plain');
