import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  exportQualities,
  type ExportQuality,
  listVideoArguments,
} from '../../src/render/encoding.ts';
import { render } from '../../src/render/render.ts';
import { inLongRun } from 'clip-testkit/long-run';
import { makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);

const argument = (args: readonly string[], name: string) => args[args.indexOf(name) + 1];

test('no quality uses more than 8 Mb/s for 1080 by 1920 at 30 frames, nor less than 1 Mb/s', () => {
  for (const quality of exportQualities) {
    const full = listVideoArguments(quality, { width: 1080, height: 1920 }, 30);
    assert.ok(parseInt(argument(full, '-maxrate')!, 10) <= 8000);
    const tiny = listVideoArguments(quality, { width: 90, height: 160 }, 25);
    assert.equal(argument(tiny, '-maxrate'), '1000k');
  }
  const half = listVideoArguments('standard', { width: 540, height: 960 }, 60);
  assert.deepEqual([argument(half, '-maxrate'), argument(half, '-bufsize')], ['4000k', '8000k']);
});

const seconds = 2;
const edit = plainEdit({
  source: { width: 480, height: 270, frameRate: 30, hasAudio: false },
  ranges: [{ start: 0, end: seconds }],
  dimensions: { width: 270, height: 480 },
  framing: { mode: 'crop', x: 164, y: 0, width: 152, height: 270 },
});

test(
  'a render has the bits of its quality, and no more than the highest rate',
  inLongRun,
  async () => {
    const bitRate = async (source: string, exportQuality?: ExportQuality) => {
      const output = at('export.mp4');
      const { signal } = new AbortController();
      await render(edit, { source, output, quality: 'export', exportQuality, signal });
      return ((await stat(output)).size * 8) / seconds;
    };
    const shape = { seconds, size: '480x270', rate: '30', sound: false };
    const plain = await makeVideo(at('plain.mp4'), shape);
    const [draft, standard, usual, high] = [
      await bitRate(plain, 'draft'),
      await bitRate(plain, 'standard'),
      await bitRate(plain),
      await bitRate(plain, 'high'),
    ];
    assert.ok(draft < standard && standard < high, [draft, standard, high].join());
    assert.ok(Math.abs(usual - standard) < 0.01 * standard);
    const noisy = await makeVideo(at('noise.mp4'), {
      ...shape,
      video: 'nullsrc=s=480x270:r=30,geq=random(1)*255:128:128',
    });
    // Twice the rate is allowed for a moment: the buffer is two seconds long.
    assert.ok((await bitRate(noisy, 'standard')) < 2e6);
  },
);
