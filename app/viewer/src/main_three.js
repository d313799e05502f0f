// The viewer with three.js and uPlot; where the browser has no WebGL, the plain scene takes its place.
import {start} from './app.js';
import {PlotUplot} from './plot_uplot.js';
import {ScenePlain} from './scene_plain.js';
import {SceneThree} from './scene_three.js';

const canDraw = !!document.createElement('canvas').getContext('webgl2');
start(canDraw ? SceneThree : ScenePlain, PlotUplot, canDraw ? 'three' : 'plain');
