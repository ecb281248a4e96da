import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import { cutSegment, moveToSegment, type SourceSegment } from '../../src/render/source-segment.ts';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

/** Two ranges with a gap between them, whose ends are on no frame of the source. */
function editOf(changes: Partial<Edit> = {}): Edit {
  const { frameRate = 25 } = changes;
  const start = 22.317;
  const ranges = [
    { start, end: start + 50 / frameRate },
    { start: start + 70 / frameRate, end: start + 95 / frameRate },
  ];
  return plainEdit({
    source: { width: 160, height: 90, frameRate, hasAudio: true },
    ranges,
    duration: 75 / frameRate,
    dimensions: { width: 90, height: 160 },
    ...changes,
  });
}

const decoded = async (path: string): Promise<string> =>
  (await ffmpeg(['-i', path, '-f', 'framemd5', 'pipe:1'])).toString();

const source = (name: string, rate: string, output: string[], video?: string) =>
  makeVideo(at(name), { seconds: 45, size: '160x90', rate, output, ...(video && { video }) });

const noise = (rate: string) => `testsrc2=s=160x90:r=${rate}`;
const hevc = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  'log-level=none:keyint=90',
];
const vp8 = [
  '-c:v',
  'libvpx',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-b:v',
  '200k',
  '-g',
  '70',
];
const long = ['-preset', 'veryfast', '-bf', '3', '-g', '110'];
// Each frame a little early or late.
const uneven = `${noise('30')},setpts='PTS+lt(mod(N*7,11),4)*0.4/(30*TB)'`;

const kinds: [name: string, make: () => Promise<string>, changes?: Partial<Edit>][] = [
  ['H.264 in MP4', () => source('h264.mp4', '25', long)],
  [
    'H.264 of 29.97 frames a second',
    () => source('ntsc.mp4', '30000/1001', long),
    { frameRate: 30000 / 1001 },
  ],
  ['H.264 of twice the frames', () => source('fifty.mp4', '50', long)],
  ['HEVC in MP4', () => source('hevc.mp4', '25', hevc)],
  [
    'HEVC in QuickTime, with sound that is not packed',
    () => source('pcm.mov', '25', [...hevc, '-c:a', 'pcm_s16le']),
  ],
  [
    'a variable frame rate',
    () =>
      source(
        'vfr.mp4',
        '30',
        [...long, '-fps_mode', 'vfr', '-video_track_timescale', '90000'],
        uneven,
      ),
    { frameRate: 30 },
  ],
  ['VP8 and Opus in WebM', () => source('vp8.webm', '25', [...vp8, '-c:a', 'libopus'])],
  [
    'H.264 and Vorbis in Matroska',
    () => source('h264.mkv', '24000/1001', [...long, '-c:a', 'libvorbis']),
    { frameRate: 24000 / 1001 },
  ],
  ['times that begin late', () => source('late.mp4', '25', [...long, '-output_ts_offset', '3.21'])],
];

describe('a render from a segment has the frames and the sound of one from the source', () => {
  /** Renders from the source and from the segment, and compares what they decode to. */
  const assertSame = async (
    source: string,
    edit: Edit,
    segment: SourceSegment,
    quality: 'preview' | 'export',
  ): Promise<void> => {
    const from = { source, output: at('source.mp4'), quality, signal };
    await render(edit, from);
    const copy = { ...from, source: at('segment'), output: at('copy.mp4') };
    await render(moveToSegment(edit, segment), copy);
    assert.equal(await decoded(at('copy.mp4')), await decoded(at('source.mp4')));
  };

  for (const [name, make, changes] of kinds) {
    it(`of ${name}`, async () => {
      const path = await make();
      const edit = editOf(changes);
      const segment = await cutSegment(edit, { source: path, output: at('segment'), signal });
      assert.ok(segment, 'it can be copied exactly');
      const { duration } = (await describeFile(at('segment'))).format;
      assert.ok(Number(duration) < 44, `${duration} s`);
      await assertSame(path, edit, segment, 'preview');
    });
  }

  it('at the very beginning and end, and without sound', async () => {
    const path = await makeVideo(at('short.mp4'), { seconds: 3, size: '160x90', sound: false });
    const edit = editOf({
      ranges: [{ start: 0.04, end: 2.96 }],
      duration: 2.92,
      source: { width: 160, height: 90, frameRate: 25, hasAudio: false },
    });
    const segment = await cutSegment(edit, { source: path, output: at('segment'), signal });
    assert.ok(segment);
    await assertSame(path, edit, segment, 'export');
  });

  it('is not tried where the container does not keep times exactly', async () => {
    const path = await source('video.ts', '25', long);
    assert.equal(await cutSegment(editOf(), { source: path, output: at('segment'), signal }), null);
  });
});
