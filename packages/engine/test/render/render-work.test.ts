import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Edit } from '../../src/edit.ts';
import { renderWork, type RenderRequest } from '../../src/render/render-work.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const edit = plainEdit({
  source: { width: 1920, height: 1080, frameRate: 25, hasAudio: true },
  ranges: [{ start: 10, end: 30 }],
  dimensions: { width: 1080, height: 1920 },
  framing: { mode: 'crop', x: 0, y: 0, width: 607, height: 1080 },
});
const options = (more: Partial<RenderRequest> = {}, planned: Partial<Edit> = {}): number =>
  renderWork({
    size: edit.dimensions,
    watermark: false,
    sourceBitRate: 8e6,
    ...more,
    edit: { ...edit, ...planned },
  });

describe('the work of a render', () => {
  it('grows with all that makes it dearer', () => {
    const usual = options();
    const dearer = {
      length: options({}, { ranges: [{ start: 10, end: 40 }], duration: 30 }),
      size: options({ size: { width: 1440, height: 2560 } }),
      rate: options({}, { frameRate: 50 }),
      'source pixels': options({}, { source: { ...edit.source, width: 3840, height: 2160 } }),
      'source bits': options({ sourceBitRate: 60e6 }),
      'removed silences, which are decoded too': options(
        {},
        {
          ranges: [
            { start: 10, end: 20 },
            { start: 40, end: 50 },
          ],
        },
      ),
      captions: options({}, { captions: [{ start: 0, end: 1, words: [] }] }),
      title: options({}, { title: { text: 'A title', end: 3 } }),
      'blurred ground': options({}, { framing: { mode: 'fit' } }),
      watermark: options({ watermark: true }),
      bumpers: options({ bumperSeconds: 3 }),
    };
    for (const [name, work] of Object.entries(dearer)) assert.ok(work > usual, name);
  });

  it('is told by pixels rather than by the clip’s length', () => {
    const small = options({ size: { width: 270, height: 480 } });
    assert.ok(small < options() / 2);
  });

  it('is a number for edits without frames or rate', () => {
    const empty = options({ sourceBitRate: 0 }, { ranges: [], duration: 0, frameRate: 0 });
    assert.ok(Number.isFinite(empty) && empty > 0);
  });
});
