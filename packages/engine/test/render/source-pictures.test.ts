import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { renderSourcePicture } from '../../src/render/source-pictures.ts';
import { checkMedia, openProbed } from '../../src/source/check-file.ts';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

async function picture(source: string): Promise<boolean> {
  const media = await checkMedia(source, await openProbed(source, signal), {
    maxSeconds: 3600,
    signal,
  });
  return renderSourcePicture(media, { source, output: at('picture.jpg'), signal });
}

async function size(): Promise<(number | undefined)[]> {
  const { streams } = await describeFile(at('picture.jpg'));
  return [streams[0]?.width, streams[0]?.height];
}

test('a source has a small picture of its shape', async () => {
  await makeVideo(at('video.mp4'), { seconds: 1 });
  assert.equal(await picture(at('video.mp4')), true);
  assert.deepEqual(await size(), [320, 180], 'never larger than the video');
  await makeVideo(at('wide.mp4'), { seconds: 0.2, size: '1280x720', sound: false });
  assert.equal(await picture(at('wide.mp4')), true);
  assert.deepEqual(await size(), [480, 270]);
});

test('of pictures of any kind: narrow pixels, turned, one only', async () => {
  await makeVideo(at('narrow.mp4'), { seconds: 0.2, video: 'testsrc2=s=160x120,setsar=2' });
  await picture(at('narrow.mp4'));
  assert.deepEqual(await size(), [320, 120]);
  await ffmpeg(['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=1:d=1', at('one.mkv')]);
  assert.equal(await picture(at('one.mkv')), true);
});

test('what cannot be read has none, and leaves nothing', async () => {
  const media = await checkMedia(at('video.mp4'), await openProbed(at('video.mp4'), signal), {
    maxSeconds: 3600,
    signal,
  });
  await writeFile(at('bad.mp4'), 'nothing');
  const output = at('none.jpg');
  assert.equal(await renderSourcePicture(media, { source: at('bad.mp4'), output, signal }), false);
});
