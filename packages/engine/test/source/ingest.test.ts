import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { downloadSource, readSourceFile, type IngestOptions } from '../../src/source/ingest.ts';
import { SourceError, type SourceErrorCode } from '../../src/source/source-error.ts';
import { ffmpeg, makeVideo, temporaryDirectory, turnedCopy } from 'clip-testkit/media-footage';
import { mediaServer, type Answer } from 'clip-testkit/media-server';

const footage = await temporaryDirectory();
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: Awaited<ReturnType<typeof mediaServer>>;
const file: Record<string, Buffer> = {};
const subtitles = 'WEBVTT\n\n00:00.500 --> 00:02.000\nHello there.\n';

const never = new AbortController().signal;

const redirect =
  (to: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location: to }).end();

before(async () => {
  const path = (name: string) => join(footage.path, name);
  await makeVideo(path('video.mp4'), { seconds: 4 });
  const long = { seconds: 20, size: '160x90', rate: '5' };
  await makeVideo(path('front.mp4'), { ...long, output: ['-movflags', '+faststart'] });
  await makeVideo(path('video.ts'), { seconds: 4, rate: '5', sound: false });
  await turnedCopy(path('video.mp4'), path('turned.mp4'));
  await writeFile(path('inside.srt'), '1\n00:00:00,500 --> 00:00:02,000\nInside it.\n');
  const inputs = ['-i', path('video.mp4'), '-i', path('inside.srt')];
  await ffmpeg([...inputs, '-c', 'copy', path('inside.mkv')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=2', path('sound.mp4')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'testsrc2=s=64x64', '-frames:v', '1', path('cover.jpg')]);
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'sine=d=2', '-i', path('cover.jpg'), '-map', '0', '-map', '1',
    '-c:v', 'mjpeg', '-disposition:v', 'attached_pic', path('cover.mp4'),
  ]);
  for (const name of await readdir(footage.path)) file[name] = await readFile(path(name));
  const front = file['front.mp4']!;
  server = await mediaServer({
    '/video.mp4': file['video.mp4']!,
    '/video.ts': file['video.ts']!,
    '/turned.mp4': file['turned.mp4']!,
    '/inside.mkv': file['inside.mkv']!,
    '/sound.mp4': file['sound.mp4']!,
    '/cover.mp4': file['cover.mp4']!,
    '/picture.mp4': file['cover.jpg']!,
    '/talk/video.mp4': file['video.mp4']!,
    '/talk/video.vtt': subtitles,
    '/wordless/video.mp4': file['video.mp4']!,
    '/wordless/video.vtt': 'nothing here',
    '/wordless/inside.mkv': file['inside.mkv']!,
    '/wordless/inside.vtt': 'nothing here',
    '/wordless/later.mp4': file['video.mp4']!,
    '/wordless/later.vtt': 'nothing here',
    '/wordless/later.mp4.srt': subtitles,
    '/page/video.mp4': file['video.mp4']!,
    '/page/video.vtt': '<!doctype html><title>Not found</title>',
    '/list.mp4': '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
    '/text.mp4': 'this is not a video',
    '/empty.mp4': '',
    '/page.mp4': '<!DOCTYPE html><html><body>Sign in</body></html>',
    '/damaged.mp4': Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(4000, 7)]),
    // The header is complete because the index is at the front, but half of the data is missing.
    '/short.mp4': front.subarray(0, Math.floor(front.length / 2)),
    '/headless.mp4': file['video.mp4']!.subarray(0, file['video.mp4']!.length - 3000),
    '/cut.mp4': (_, response) => {
      response.writeHead(200, { 'content-length': front.length });
      response.write(front.subarray(0, 20_000), () => response.destroy());
    },
    '/endless.mp4': (_, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65536, 1)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    },
    '/hop.mp4': redirect('/video.mp4'),
    '/round.mp4': redirect('/round.mp4'),
    '/metadata.mp4': redirect('http://169.254.169.254/latest/meta-data'),
    '/file.mp4': redirect('file:///etc/passwd'),
    '/gone.mp4': (_, response) => response.writeHead(410).end(),
    '/hang.mp4': () => {},
  });
});

after(async () => {
  await server.close();
  await footage.remove();
});

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => directory.remove());

const take = (path: string, changes: Partial<IngestOptions> = {}) =>
  downloadSource(path.startsWith('/') ? server.url(path) : path, {
    directory: directory.path,
    allowPrivate: true,
    maxSeconds: 3600,
    signal: new AbortController().signal,
    ...changes,
  });

async function assertRefused(
  code: SourceErrorCode,
  said: RegExp,
  path: string,
  changes: Partial<IngestOptions> = {},
): Promise<void> {
  await assert.rejects(take(path, changes), (error) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code, error.message);
    assert.equal(error.field, 'source_video_url');
    assert.match(error.message, said);
    assert.ok(!error.message.includes(directory.path));
    return true;
  });
  assert.deepEqual(await readdir(directory.path), [], 'nothing is left behind');
}

test('a video is fetched, measured and hashed', async () => {
  const shares: number[] = [];
  const source = await take('/video.mp4', { onProgress: (share) => shares.push(share) });
  assert.deepEqual(source.media, {
    duration: source.media.duration,
    width: 320,
    height: 180,
    frameRate: 25,
    hasAudio: true,
    audioStream: 1,
    videoStream: 0,
    videoCodec: 'h264',
    audioCodec: 'aac',
    colourMatrix: 'bt601',
  });
  assert.ok(Math.abs(source.media.duration - 4) < 0.1);
  assert.equal(source.transcriptPath, null);
  assert.equal(source.bytes, file['video.mp4']!.length);
  assert.match(source.sha256, /^[0-9a-f]{64}$/);
  assert.equal(shares.at(-1), 1);
  assert.deepEqual(await readdir(directory.path), ['source']);
});

test('a transport stream without sound is a video too', async () => {
  const { media } = await take('/video.ts');
  assert.equal(media.hasAudio, false);
  assert.ok(Math.abs(media.duration - 4) < 0.1, String(media.duration));
});

test('a turned video is measured as it is shown', async () => {
  const { media } = await take('/turned.mp4');
  assert.deepEqual([media.width, media.height], [180, 320]);
});

test('subtitles beside the video are its transcript', async () => {
  const { transcriptPath } = await take('/talk/video.mp4');
  assert.equal(await readFile(transcriptPath!, 'utf8'), subtitles);
});

test('a page in place of subtitles is no transcript', async () => {
  assert.equal((await take('/page/video.mp4')).transcriptPath, null);
});

test('a file beside the video without words is its transcript only if there is no other', async () => {
  const only = await take('/wordless/video.mp4');
  assert.equal(await readFile(only.transcriptPath!, 'utf8'), 'nothing here');
  for (const path of ['/wordless/inside.mkv', '/wordless/later.mp4']) {
    await rm(directory.path, { recursive: true });
    await mkdir(directory.path);
    const { transcriptPath } = await take(path);
    assert.match(await readFile(transcriptPath!, 'utf8'), /Inside it|Hello there/);
    assert.equal((await readdir(directory.path)).length, 2);
  }
});

test('subtitles inside the video are its transcript', async () => {
  const { transcriptPath } = await take('/inside.mkv');
  assert.match(await readFile(transcriptPath!, 'utf8'), /Inside it\./);
});

test('subtitles that are given are its transcript, and others are not looked for', async () => {
  const given = { subtitles: server.url('/talk/video.vtt') };
  const { transcriptPath } = await take('/inside.mkv', given);
  assert.match(await readFile(transcriptPath!, 'utf8'), /Hello there\./);
  assert.equal((await take('/inside.mkv', { subtitles: null })).transcriptPath, null);
});

test('subtitles that are given and cannot be used are refused', async () => {
  for (const [path, code] of [
    ['/none.vtt', 'subtitles-unreachable'],
    ['/page.mp4', 'subtitles-not-text'],
    ['/picture.mp4', 'subtitles-not-text'],
    ['/empty.mp4', 'subtitles-not-text'],
  ] as const) {
    await assert.rejects(take('/video.mp4', { subtitles: server.url(path) }), (error) => {
      assert.ok(error instanceof SourceError, String(error));
      assert.deepEqual([error.code, error.field], [code, 'subtitles_url']);
      return true;
    });
    assert.deepEqual(await readdir(directory.path), [], 'nothing is left behind');
  }
});

test('a file that is here is taken as it is', async () => {
  const options = { directory: directory.path, allowPrivate: true, maxSeconds: 60, signal: never };
  const path = join(footage.path, 'inside.mkv');
  const { transcriptPath, ...taken } = await readSourceFile(path, options);
  const { transcriptPath: _, path: copy, ...fetched } = await take('/inside.mkv');
  assert.deepEqual(taken, { ...fetched, path });
  assert.notEqual(copy, path);
  assert.match(await readFile(transcriptPath!, 'utf8'), /Inside it\./);
  await assert.rejects(readSourceFile(path, { ...options, maxSeconds: 1 }), {
    code: 'source-too-long',
  });
});

test('a redirect is followed', async () => {
  assert.ok((await take('/hop.mp4')).bytes > 0);
});

test('what the guard of addresses refuses is refused as a source, also behind a redirect', async () => {
  const closed = { allowPrivate: false };
  await assertRefused('source-private-address', /CLIP_ALLOW_PRIVATE_SOURCES/, '/video.mp4', closed);
  await assertRefused('source-private-address', /169\.254\.169\.254/, '/metadata.mp4');
  await assertRefused('source-unreachable', /only http/, '/file.mp4');
  await assertRefused('source-unreachable', /more than 5 times/, '/round.mp4');
});

test('what cannot be reached is said with its reason, and without the query', async () => {
  await assertRefused('source-unreachable', /410/, '/gone.mp4');
  await assertRefused('source-unreachable', /ECONNREFUSED/, 'http://127.0.0.1:1/video.mp4');
  await assert.rejects(take('/none.mp4?key=secret'), (error: Error) => {
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a file that is not a video, ends early or lists others is rejected, each with its reason', async () => {
  for (const [path, code, reason] of [
    ['/list.mp4', 'source-playlist', /playlist/],
    ['/text.mp4', 'source-not-video', /neither a video nor sound/],
    ['/empty.mp4', 'source-not-video', /empty/],
    ['/page.mp4', 'source-not-video', /web page/],
    ['/picture.mp4', 'source-not-video', /neither a video nor sound/],
    ['/cut.mp4', 'source-truncated', /connection/],
    ['/short.mp4', 'source-truncated', /header says 20 s/],
    ['/headless.mp4', 'source-truncated', /index is missing/],
    ['/damaged.mp4', 'source-truncated', /./],
  ] as const) {
    await assertRefused(code, reason, path);
  }
});

test('sound alone is taken, with its cover if it has one, and only one file stays', async () => {
  // The cover of this one is too small to be shown.
  for (const name of ['sound.mp4', 'cover.mp4']) {
    const { path, media, bytes } = await take(`/${name}`);
    assert.equal(media.soundAlone, 'wave');
    assert.ok(bytes > 0 && path.endsWith('/source'));
    assert.deepEqual(await readdir(directory.path), ['source']);
    await rm(path);
  }
});

test('limits of time and size hold', async () => {
  await assertRefused('source-too-long', /4 s long. The limit is 3 s/, '/video.mp4', {
    maxSeconds: 3,
  });
  await assertRefused('source-too-large', /too large/, '/video.mp4', { maxBytes: 1000 });
  await assertRefused('source-too-large', /too large/, '/endless.mp4', { maxBytes: 1_000_000 });
});

test('an abort ends the download with the signal’s reason', async () => {
  const controller = new AbortController();
  const taken = take('/hang.mp4', { signal: controller.signal });
  const reason = new Error('stop');
  setImmediate(() => controller.abort(reason));
  await assert.rejects(taken, (error) => error === reason);
  assert.deepEqual(await readdir(directory.path), []);
});
