import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { analyse } from '../../src/scan/analyse.ts';
import { findProgram, run } from '../../src/program/ffmpeg-process.ts';
import { downloadSource, type IngestOptions } from '../../src/source/ingest.ts';
import { decodeGuard, probeGuard } from '../../src/program/input-guard.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { SourceError, type SourceErrorCode } from '../../src/source/source-error.ts';
import { withDuration, withExternalData, withPictureSize } from 'clip-testkit/hostile-files';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';

const made = await temporaryDirectory();
const at = (name: string) => join(made.path, name);
const answers: Record<string, Buffer> = {};
let server: Awaited<ReturnType<typeof mediaServer>>;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-bf', '0'];
// prettier-ignore
const picture = (seconds: number, filters = 'null') => [
  '-f', 'lavfi', '-i', `testsrc2=s=64x64:r=5:d=${seconds}`, '-vf', filters,
];

before(async () => {
  await ffmpeg([...picture(20), ...quick, at('video.mkv')]);
  await ffmpeg([...picture(8), ...quick, at('small.ts')]);
  await ffmpeg([...picture(2), ...quick, at('video.mov')]);
  await ffmpeg([...picture(1), '-c:v', 'mjpeg', at('pictures.avi')]);
  const large = ['-f', 'lavfi', '-i', 'color=s=8192x6144:r=5:d=0.2'];
  await ffmpeg([...large, ...quick, at('large.ts')]);
  const jump = `setpts='if(gte(N,20),PTS+7200/TB,PTS)'`;
  await ffmpeg([...picture(8, jump), '-fps_mode', 'passthrough', ...quick, at('jump.mkv')]);
  const early = ['-output_ts_offset', '-3', '-avoid_negative_ts', 'disabled'];
  await ffmpeg([...picture(6), ...quick, ...early, at('early.mkv')]);
  const sounds = Array.from({ length: 500 }, () => ['-map', '0']).flat();
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'sine=d=1:r=8000', '-f', 'lavfi', '-i', 'testsrc2=s=64x64:d=1',
    '-map', '1', ...sounds, ...quick, '-c:a', 'pcm_s16le', at('many.mkv'),
  ]);
  const cue = (index: number) => {
    const time = (at: number) =>
      `00:00:${String(Math.floor(at / 1000)).padStart(2, '0')},${String(at % 1000).padStart(3, '0')}`;
    return `${index + 1}\n${time(index)} --> ${time(index + 1)}\n${'word '.repeat(400)}\n\n`;
  };
  await writeFile(at('long.srt'), Array.from({ length: 9000 }, (_, index) => cue(index)).join(''));
  await ffmpeg(['-i', at('video.mkv'), '-i', at('long.srt'), '-c', 'copy', at('subtitled.mkv')]);

  for (const [name, shape] of [
    ['wide', '5000/1'],
    ['thin', '1/5000'],
  ] as const) {
    await ffmpeg([...picture(1, `setsar=${shape}`), ...quick, at(`${name}.mkv`)]);
    answers[`/${name}.mkv`] = await readFile(at(`${name}.mkv`));
  }
  const video = await readFile(at('video.mkv'));
  answers['/short.mkv'] = withDuration(video, 5);
  answers['/long.mkv'] = withDuration(video, 360_000);
  answers['/bomb.avi'] = withPictureSize(await readFile(at('pictures.avi')), 30_000, 30_000);
  const parts = [await readFile(at('small.ts')), await readFile(at('large.ts'))];
  answers['/large.ts'] = parts[1]!;
  answers['/grows.ts'] = Buffer.concat(parts);
  for (const name of ['jump.mkv', 'early.mkv', 'many.mkv', 'subtitled.mkv']) {
    answers[`/${name}`] = await readFile(at(name));
  }
  server = await mediaServer(answers);
});
after(async () => {
  await server?.close();
  await made.remove();
});
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const signal = () => new AbortController().signal;
const take = (path: string, changes: Partial<IngestOptions> = {}) =>
  downloadSource(server.url(path), {
    directory: directory.path,
    allowPrivate: true,
    maxSeconds: 3600,
    signal: signal(),
    ...changes,
  });

async function assertRefused(
  path: string,
  code: SourceErrorCode,
  said: RegExp,
  changes: Partial<IngestOptions> = {},
): Promise<void> {
  await assert.rejects(take(path, changes), (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, said);
    return true;
  });
  assert.deepEqual(await readdir(directory.path), [], 'nothing is left behind');
}

describe('a list of other files under a video’s name, without a check of its first bytes', () => {
  const lists: Record<string, string> = {
    'an HLS playlist': '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsmall.ts\n#EXT-X-ENDLIST\n',
    'a concat list': 'ffconcat version 1.0\nfile small.ts\n',
  };
  for (const [what, text] of Object.entries(lists)) {
    test(`${what} is not opened by ffprobe nor by ffmpeg`, async () => {
      const path = at('list.mp4');
      await writeFile(path, text);
      const options = { signal: signal(), deadlineSeconds: 600 };
      // The list is valid: without the guard its file is read.
      await run('ffprobe', ['-v', 'error', path], options);
      await assert.rejects(run('ffprobe', [...probeGuard, path], options), /whitelist/);
      const decode = ['-nostdin', ...decodeGuard, '-i', path, '-f', 'null', '-'];
      await assert.rejects(run('ffmpeg', decode, options), /whitelist/);
    });
  }

  test('a network address is not opened either', async () => {
    const options = { signal: signal(), deadlineSeconds: 600 };
    await assert.rejects(
      run('ffprobe', [...probeGuard, server.url('/short.mkv')], options),
      /not on whitelist 'file,pipe'/,
    );
    assert.ok(!server.asked.includes('/short.mkv'));
  });

  test('a video that refers to data in another file is not followed there', async () => {
    const path = at('refers.mov');
    await writeFile(path, withExternalData(await readFile(at('video.mov')), 'video.mov'));
    const options = { signal: signal(), deadlineSeconds: 600 };
    const packets = ['-v', 'error', '-show_data_hash', 'md5', '-of', 'csv=p=0'];
    packets.push('-show_entries', 'packet=data_hash');
    const its = await run('ffprobe', [...packets, at('video.mov')], options);
    // The reference is valid: if ffmpeg may follow it, the pictures of the other file appear.
    const follow = ['-enable_drefs', '1', '-use_absolute_path', '1'];
    const followed = await run('ffprobe', [...packets, ...follow, path], options);
    assert.equal(followed.stdout, its.stdout);
    const { stdout } = await run('ffprobe', [...packets, ...probeGuard, path], options).catch(
      () => ({ stdout: '' }),
    );
    for (const hash of its.stdout.trim().split('\n')) assert.ok(!stdout.includes(hash));
  });
});

describe('pictures that are too large', () => {
  test('are refused if the header says so', () =>
    assertRefused(
      '/bomb.avi',
      'source-too-large',
      /30000 by 30000 pixels. The limit is 36 million/,
    ));

  test('are refused if only the pictures themselves say so', () =>
    assertRefused('/large.ts', 'source-too-large', /8192 by 6144 pixels/));

  test('are not decoded if they begin in the middle of a video', async () => {
    const source = await take('/grows.ts');
    assert.deepEqual([source.media.width, source.media.height], [64, 64]);
    const decode = ['-nostdin', ...decodeGuard, '-i', source.path, '-f', 'null', '-'];
    const options = { signal: signal(), deadlineSeconds: 600 };
    const { stderrTail } = await run('ffmpeg', decode, options);
    assert.match(stderrTail, /8192x6144 exceeds specified max pixel count/);
    // The readable part is used; the rest is skipped.
    const { focus } = await analyse(source, { signal: signal() });
    assert.ok(focus.length > 0 && focus.every(({ time }) => time < 8.5));
  });
});

describe('wrong durations', () => {
  test('data that goes on after the stated end counts', async () => {
    const { media } = await take('/short.mkv');
    assert.ok(Math.abs(media.duration - 20) < 0.5, String(media.duration));
    await assertRefused('/short.mkv', 'source-too-long', /20 s long. The limit is 10 s/, {
      directory: (directory = await temporaryDirectory()).path,
      maxSeconds: 10,
    });
  });

  test('a header that promises 100 hours only says that the end is missing', async () => {
    const { media } = await take('/long.mkv', { maxSeconds: 30 });
    assert.ok(Math.abs(media.duration - 20) < 0.5, String(media.duration));
    assert.equal(media.endsEarly, true);
  });

  test('a leap of hours between two pictures counts as hours', () =>
    assertRefused('/jump.mkv', 'source-too-long', /is 2 h|is 120 min/));

  test('times before zero do no harm', async () => {
    const source = await take('/early.mkv');
    assert.ok(source.media.duration <= 6.5, String(source.media.duration));
    assert.ok((await analyse(source, { signal: signal() })).focus.length > 0);
  });
});

describe('more in a file than anyone needs', () => {
  test('500 sound tracks are looked at in seconds', async () => {
    const { media } = await take('/many.mkv');
    assert.equal(media.hasAudio, true);
  });

  const canLimit = process.platform === 'linux' && findProgram('prlimit') !== null;
  test('subtitles beyond 16 MB are no transcript', { skip: !canLimit }, async () => {
    const { transcriptPath } = await take('/subtitled.mkv');
    assert.equal(transcriptPath, null);
    assert.deepEqual(await readdir(directory.path), ['source']);
  });
});

test('pixels of a shape that no screen has are refused', async () => {
  for (const name of ['wide', 'thin']) {
    await assertRefused(`/${name}.mkv`, 'source-unsupported', /pixels/);
  }
});

test('tags in a video’s metadata are not taken for what ffmpeg says', async () => {
  const words = [
    'a\u2028x: No space left on device',
    'a\u2028[silencedetect @ 0x1] silence_start: 0',
    'a\n[silencedetect @ 0x1] silence_start: 0',
    'silence_start: 0 pts_time:1 lavfi.scd.time: 1',
    'a\u2028out of memory',
  ];
  const still = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=5:d=2'];
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=8000:d=2'];
  // All in one file: ffmpeg prints every tag of the file and of its tracks.
  const tags = ['title', 'artist', 'album', 'comment', 'description'];
  const meta = words.flatMap((word, index) => [
    ...['-metadata', `${tags[index]}=${word}`],
    ...['-metadata:s:v', `${tags[index]}=${word}`],
  ]);
  const path = at('titled.mkv');
  await ffmpeg([...still, ...tone, ...meta, ...quick, '-c:a', 'pcm_s16le', path]);
  const probed = await probe(path, signal());
  const printed = JSON.stringify(probed);
  for (const word of words) assert.ok(printed.includes(JSON.stringify(word).slice(1, -1)), word);
  const source = {
    path,
    transcriptPath: null,
    media: makeMediaInfo(probed, 2)!,
    sha256: '',
    bytes: 0,
  };
  const { silences, cuts } = await analyse(source, { signal: signal() });
  assert.deepEqual([silences, cuts], [[], []]);
});
