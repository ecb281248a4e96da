import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileFault, isSubtitles, nameWithoutEnding } from '../../src/flow/upload-rate.ts';

const file = { name: 'talk.mp4', type: 'video/mp4', size: 100, seconds: 60 };
const limits = { maxBytes: 1000, maxSeconds: 3600 };

describe('a file before it is sent', () => {
  it('is a video by its type or by its ending', () => {
    assert.equal(fileFault(file, limits), null);
    assert.equal(fileFault({ ...file, name: 'talk' }, limits), null);
    assert.equal(fileFault({ ...file, name: 'TALK.MKV', type: '' }, limits), null);
    assert.equal(
      fileFault({ ...file, name: 'a.pdf', type: 'application/pdf' }, limits),
      'file-not-video',
    );
  });

  it('is within the limits', () => {
    assert.equal(fileFault({ ...file, size: 0 }, limits), 'file-empty');
    assert.equal(fileFault({ ...file, size: 1001 }, limits), 'file-too-large');
    assert.equal(fileFault({ ...file, size: 1001 }, { ...limits, maxBytes: null }), null);
    assert.equal(fileFault({ ...file, seconds: 3601 }, limits), 'file-too-long');
    assert.equal(fileFault({ ...file, seconds: null }, limits), null);
  });

  it('is a file of subtitles by its ending', () => {
    assert.deepEqual(['a.srt', 'a.VTT', 'vtt'].map(isSubtitles), [true, true, false]);
  });

  it('names the video without its ending', () => {
    assert.deepEqual(['Talk 1.5.mp4', '.mp4', 'talk'].map(nameWithoutEnding), [
      'Talk 1.5',
      '.mp4',
      'talk',
    ]);
  });
});
