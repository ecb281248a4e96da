/**
 * Draws each built-in style preset over the demo's sample (`docs/images/presets`), and updates the
 * table of `docs/presets.md`.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeAssDocument } from '../packages/engine/src/captions/ass.ts';
import { restyleEdit } from '../packages/engine/src/editing/make-edit.ts';
import { type Edit } from '../packages/engine/src/edit.ts';
import { loadPresets } from '../packages/engine/src/style/presets.ts';
import { withPresets } from './preset-page.ts';

const execute = promisify(execFile);
const root = new URL('../', import.meta.url);
const pictures = fileURLToPath(new URL('docs/images/presets', root));

const words = 'Keep what matters, and say it well'.split(' ').map((text, index) => ({
  text,
  start: index * 0.4,
  end: index * 0.4 + 0.38,
}));
const edit: Edit = {
  version: 1,
  source: { width: 360, height: 640, frameRate: 25, hasAudio: false },
  ranges: [{ start: 0, end: 3 }],
  duration: 3,
  frameRate: 25,
  dimensions: { width: 360, height: 640 },
  framing: { mode: 'crop', x: 0, y: 0, width: 360, height: 640 },
  captions: [{ start: 0, end: 3, words }],
  emojis: [],
  title: { text: 'How to keep it short', end: 3 },
};
/** A time at which the second word is spoken. */
const pictureSeconds = 0.6;
const sample = fileURLToPath(new URL('demo/sample/sample.mp4', root));
/** A close-up of the sample's presenter, upright. */
const ground = 'crop=608:1080:356:0,scale=360:640';

const work = await mkdtemp(join(tmpdir(), 'preset-pictures-'));
try {
  const presets = [...(await loadPresets()).values()];
  await mkdir(pictures, { recursive: true });
  for (const { id, style } of presets) {
    await writeFile(join(work, 'c.ass'), writeAssDocument(restyleEdit(edit, style)));
    await execute(
      'ffmpeg',
      // prettier-ignore
      [
        '-v', 'error', '-nostdin', '-ss', '66', '-i', sample,
        '-vf', `${ground},ass=c.ass`, '-ss', String(pictureSeconds), '-frames:v', '1',
        '-q:v', '5', '-y', join(pictures, `${id}.jpg`),
      ],
      { cwd: work },
    );
  }
  const page = new URL('docs/presets.md', root);
  await writeFile(page, withPresets(await readFile(page, 'utf8'), presets));
} finally {
  await rm(work, { recursive: true, force: true });
}
