import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Edit } from '../../src/edit.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { render, type RenderOptions } from '../../src/render/render.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';
import {
  describeFile,
  describeFrames,
  ffmpeg,
  makeVideo,
  frameAt,
  temporaryDirectory,
  turnedCopy,
} from 'clip-testkit/media-footage';
import { editingWith, plainEdit } from 'clip-testkit/plain-edit';
import { inLongRun } from 'clip-testkit/long-run';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
const dimensions = { width: 180, height: 320 };
const source = at('video.mp4');

before(() => makeVideo(source, { seconds: 3, rate: '10' }));
after(() => directory.remove());

const edit = plainEdit({
  source: { width: 320, height: 180, frameRate: 24, hasAudio: true },
  ranges: [{ start: 0, end: 3 }],
  dimensions,
  framing: { mode: 'crop', x: 110, y: 0, width: 101, height: 180 },
});

/** An edit of all of a file, as the service makes it from what ffprobe says. */
async function wholeOf(path: string, seconds: number): Promise<Edit> {
  const media = makeMediaInfo(await probe(path, signal), seconds)!;
  const options = { editing: editingWith('reframe'), dimensions, title: '' };
  return makeWholeEdit(quietAnalysis(seconds, { media }), options);
}

/**
 * Renders, and checks what is true for every render: streams, size, duration within a frame, index
 * at the front.
 */
async function made(edit: Edit, options: Partial<RenderOptions> = {}, name = 'out.mp4') {
  const output = at(name);
  const given = { source, output, quality: 'export' as const, signal };
  const rendered = await render(edit, { ...given, ...options });
  const { streams, format } = await describeFile(output);
  const video = streams.find((stream) => stream.codec_type === 'video')!;
  const sound = streams.find((stream) => stream.codec_type === 'audio')!;
  assert.deepEqual([video.codec_name, video.pix_fmt, sound.codec_name], ['h264', 'yuv420p', 'aac']);
  const frame = 1 / edit.frameRate + 0.001;
  assert.ok(Math.abs(Number(format.duration) - edit.duration) <= frame, format.duration);
  assert.equal(Number(video.nb_frames), Math.round(edit.duration * edit.frameRate));
  assert.ok(Math.abs(Number(video.duration) - Number(sound.duration)) <= frame);
  const bytes = await readFile(output);
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index is at the front');
  assert.equal(rendered.bytes, bytes.length);
  assert.ok(rendered.cpuSeconds > 0);
  assert.ok((await readdir(directory.path)).every((entry) => !entry.startsWith('.')));
  return { output, size: [video.width, video.height] };
}

test('an emoji that comes hundreds of times is seen each time, and not between', async () => {
  const emojis = Array.from({ length: 300 }, (_, index) => ({
    ...{ emoji: '🐝', start: index / 100, end: index / 100 + 0.001 },
  }));
  // The frames at 1 s and 2 s have it, those at 1.5 s do not.
  const seen = emojis.filter(({ start }) => Math.abs(start - 1.5) > 0.25);
  const often = await made({ ...edit, emojis: seen }, {}, 'often.mp4');
  const never = await made(edit, {}, 'never.mp4');
  const countChanged = async (seconds: number): Promise<number> => {
    const plain = await frameAt(never.output, seconds);
    const frame = await frameAt(often.output, seconds);
    return frame.filter((byte, index) => Math.abs(byte - plain[index]!) > 60).length;
  };
  const [first, middle, last] = [
    await countChanged(1),
    await countChanged(1.5),
    await countChanged(2),
  ];
  assert.ok(Math.min(first, last) > 500 && middle < 50, `${first} ${middle} ${last}`);
});

test('a cover is attached to the file, whose pictures and sound stay as they are', async () => {
  const cover = at('cover.jpg');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=180x320', '-frames:v', '1', cover]);
  const options = { source, quality: 'export' as const, signal };
  const plain = await render(edit, { ...options, output: at('uncovered.mp4') });
  const covered = await render(edit, { ...options, output: at('covered.mp4'), cover });
  assert.deepEqual([covered.duration, covered.copied], [plain.duration, plain.copied]);
  const { streams } = await describeFile(at('covered.mp4'));
  assert.deepEqual(
    streams.map(({ codec_name, disposition }) => [codec_name, disposition?.attached_pic]),
    [
      ['h264', 0],
      ['aac', 0],
      ['mjpeg', 1],
    ],
  );
  const hashes = await Promise.all(
    ['uncovered', 'covered'].map(async (file) => {
      const streams = ['-map', '0:v:0', '-map', '0:a:0', '-c', 'copy'];
      const hashed = await ffmpeg([
        ...['-i', at(`${file}.mp4`), ...streams, '-f', 'framemd5', 'pipe:1'],
      ]);
      return hashed.toString();
    }),
  );
  assert.equal(hashes[1], hashes[0], 'every packet, at its time');
  const bytes = await readFile(at('covered.mp4'));
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index is at the front');
  assert.equal(covered.bytes, bytes.length);
  const [red, green] = await frameAt(at('covered.mp4'), 0);
  assert.ok(!(red! > 200 && green! < 50), 'the first frame is the clip’s');
});

test('captions, title and watermark are in the picture at their times, all else is the plain cut', async () => {
  const shares: number[] = [];
  const plain = await made(edit, { onProgress: (share) => shares.push(share) }, 'plain.mp4');
  assert.deepEqual(plain.size, [180, 320]);
  assert.equal(shares.at(-1), 1);
  const mark = at('mark.png');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=41x27', '-frames:v', '1', mark]);
  const words = ['Bees', 'like', 'honey.'].map((text, index) => ({
    text,
    start: 1.2 + index * 0.3,
    end: 1.5 + index * 0.3,
  }));
  const drawn: Edit = {
    ...edit,
    captions: [{ start: 1.2, end: 2.1, words }],
    title: { text: 'A title', end: 1 },
  };
  // 41 by 27 pixels, twice as large, of the lower left corner.
  const watermark = { path: mark, pos_x: 0, pos_y: 1, scale: 2 };
  const box = { right: 82, top: 320 - 54 };
  const { output } = await made(drawn, { watermark }, 'drawn.mp4');
  const frames = (seconds: number) =>
    Promise.all([frameAt(plain.output, seconds), frameAt(output, seconds)]);
  const differing = async (seconds: number, from: number, to: number) => {
    const [a, b] = await frames(seconds);
    let count = 0;
    for (let index = from * 180 * 3; index < to * 180 * 3; index++) {
      if (Math.abs(a[index]! - b[index]!) > 60) count++;
    }
    return count;
  };
  assert.ok((await differing(0.5, 10, 90)) > 500, 'the title above');
  assert.ok((await differing(1.6, 160, 260)) > 200, 'the captions below');
  assert.ok((await differing(1.6, 10, 90)) < 100, 'no title after its end');
  assert.ok((await differing(2.6, 160, 260)) < 100, 'no captions after the last word');
  const [, marked] = await frames(2.6);
  const colour = (x: number, y: number) => [
    ...marked.subarray((y * 180 + x) * 3, (y * 180 + x) * 3 + 3),
  ];
  for (const [x, y] of [
    [3, box.top + 3],
    [box.right - 4, 316],
  ] as const) {
    assert.ok(
      [255, 0, 0].every((wanted, index) => Math.abs(colour(x, y)[index]! - wanted) < 16),
      `${colour(x, y).join()}: red at ${x},${y}`,
    );
  }
  assert.ok((await differing(2.6, 0, box.top - 4)) < 100, 'nothing above the watermark');
});

test('a source without sound is given silence, also in a preview, which is smaller', async () => {
  const mute = await makeVideo(at('mute.mp4'), { seconds: 1, sound: false });
  const large = { ...(await wholeOf(mute, 1)), dimensions: { width: 540, height: 960 } };
  const { size } = await made(large, { source: mute, quality: 'preview' });
  assert.deepEqual(size, [360, 640]);
});

test('a preview can be played from its segments before the file is complete', async () => {
  const segments: Buffer[] = [];
  const { output } = await made(
    edit,
    {
      quality: 'preview',
      onSegment: async (path) => {
        await assert.rejects(stat(at('whole.mp4')), { code: 'ENOENT' });
        segments.push(await readFile(path));
      },
    },
    'whole.mp4',
  );
  assert.equal(segments.length, 4, 'an initialization segment, and one for each second');
  const joined = at('joined.mp4');
  await writeFile(joined, Buffer.concat(segments));
  // Without the list of edits that a whole file has, pictures begin with the first whole sound.
  const times = async (path: string) => {
    const { frames } = await describeFrames(path);
    return frames.map(({ time }) => (time - frames[0]!.time).toFixed(3));
  };
  assert.deepEqual(await times(joined), await times(output));
  // The first second needs no more than its own segment.
  await writeFile(joined, Buffer.concat(segments.slice(0, 2)));
  assert.deepEqual(await frameAt(joined, 0.5), await frameAt(output, 0.5));
});

test('an error while a segment is stored fails the render', async () => {
  await assert.rejects(
    made(edit, {
      quality: 'preview',
      onSegment: async () => {
        throw new Error('no room');
      },
    }),
    /no room/,
  );
});

test('a turned source, of uneven rate, is upright and even', async () => {
  const uneven = at('uneven.mkv');
  await makeVideo(uneven, {
    seconds: 2,
    rate: '30000/1001',
    output: ['-vf', "select='not(eq(mod(n,7),3))'", '-fps_mode', 'vfr'],
  });
  const turned = at('turned.mp4');
  await turnedCopy(uneven, turned);
  const edit = await wholeOf(turned, 2);
  assert.deepEqual(edit.framing, { mode: 'crop', x: 0, y: 0, width: 180, height: 320 });
  await made(edit, { source: turned });
});

test('a source whose sound outlasts its picture keeps both side by side', inLongRun, async () => {
  const path = at('tail.mp4');
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=2',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path,
  ]);
  await made(await wholeOf(path, 2), { source: path });
});

test('an abort stops the render, and leaves no process and no file', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const output = at('aborted.mp4');
  const rendering = render(
    { ...edit, dimensions: { width: 1080, height: 1920 } },
    {
      ...{ source, output, quality: 'export', signal: controller.signal },
      onProgress: () => controller.abort(reason),
    },
  );
  await assert.rejects(rendering, (error) => error === reason);
  await assert.rejects(stat(output));
  assert.ok((await readdir(directory.path)).every((entry) => !entry.startsWith('.')));
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,stat,args']);
  const left = stdout.split('\n').filter((line) => line.includes(directory.path));
  assert.deepEqual(left, []);
});

test('a source that is no longer a video fails with a reason without a path', async () => {
  const output = at('failed.mp4');
  await writeFile(at('text.mp4'), 'no video');
  const rendering = render(edit, { source: at('text.mp4'), output, quality: 'export', signal });
  await assert.rejects(rendering, ({ message }: Error) => {
    assert.doesNotMatch(message, new RegExp(directory.path));
    return true;
  });
  await assert.rejects(stat(output));
});
