import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MediaInfo } from '../../../engine/src/facts.ts';
import { isPlayableInBrowsers } from '../../src/edits/rules.ts';

const media: MediaInfo = {
  ...{ duration: 60, width: 1920, height: 1080, frameRate: 25 },
  ...{ videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, audioStream: 1 },
};
const plays = (more: Partial<MediaInfo> = {}): boolean =>
  isPlayableInBrowsers({
    ...{ key: 'sources/one.video', transcriptKey: null, sha256: '', bytes: 1 },
    media: { ...media, ...more },
  });

describe('a source that browsers show as a render does', () => {
  it('has H.264, and AAC or no sound, from second 0', () => {
    assert.equal(plays(), true);
    assert.equal(plays({ startTime: 0 }), true);
    assert.equal(plays({ audioCodec: null, hasAudio: false }), true);
    assert.equal(plays({ videoCodec: 'hevc' }), false);
    assert.equal(plays({ audioCodec: 'pcm_s16le' }), false);
    assert.equal(plays({ startTime: 1.4 }), false);
  });

  it('is read as it is: no bars, fields, high range or mixed tracks', () => {
    const content = { x: 0, y: 0.1, width: 1, height: 0.8 };
    const others: Partial<MediaInfo>[] = [
      { content },
      { firstField: 'top' },
      { transfer: 'pq' },
      { soundAlone: 'wave' },
      { mixedAudioStreams: [2] },
    ];
    for (const more of others) assert.equal(plays(more), false, JSON.stringify(more));
  });
});
