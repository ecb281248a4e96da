/**
 * Cuts a part of a video to `clip.mp4`, as the command line does, but without words. Prints the
 * edit and the cuts that were found as JSON. Arguments: the video, the folder for the clip, start
 * and end in seconds, width and height in pixels.
 */
import { join } from 'node:path';
import { analyseFraming, makeFinders } from '../packages/engine/src/editing/analyse-framing.ts';
import { frameEdit } from '../packages/engine/src/editing/framed-edit.ts';
import { makeEdit } from '../packages/engine/src/editing/make-edit.ts';
import { makeWholeInputs } from '../packages/engine/src/editing/make-inputs.ts';
import { render } from '../packages/engine/src/render/render.ts';
import { analyse } from '../packages/engine/src/scan/analyse.ts';
import { openLocal } from '../packages/engine/src/source/ingest.ts';

const [path = '', directory = '', ...numbers] = process.argv.slice(2);
const [start = 0, end = 0, width = 0, height = 0] = numbers.map(Number);
const { signal } = new AbortController();
const source = await openLocal(path, { directory, maxSeconds: 3600, signal });
const range = { start, end: Math.min(end, source.media.duration) };
const inputs = makeWholeInputs(await analyse(source, { range, signal }), {
  editing: {
    captions: false,
    emojis: false,
    intro_title: false,
    reframe: true,
    remove_silences: false,
  },
  dimensions: { width, height },
  title: '',
});
const guess = makeEdit(inputs);
const finders = makeFinders({ faces: true });
const failures: unknown[] = [];
const onFailed = (error: unknown) => failures.push(error);
const analysis = await analyseFraming(guess, path, { finders, signal, onFailed });
if (failures.length > 0) throw failures[0];
const edit = frameEdit(guess, analysis);
const output = join(directory, 'clip.mp4');
await render(edit, { source: path, output, quality: 'export', signal });
const shift = analysis.span.start - edit.ranges[0]!.start;
const cuts = analysis.cuts.map((time) => time + shift).filter((time) => time > 0);
console.log(JSON.stringify({ edit, cuts }));
