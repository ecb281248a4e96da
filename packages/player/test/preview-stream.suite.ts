import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { render } from 'clip-engine';
import { openTab, untilTrue, type Tab } from 'clip-testkit/any-tab';
import { makeVideo } from 'clip-testkit/footage';
import { PageServer } from 'clip-testkit/page-server';
import { spanEdit } from 'clip-testkit/span-edit';

/** As the edit of the clip of `PageServer`. */
const seconds = 5;
const size = { width: 192, height: 108 };
const video = `document.querySelector('video')`;

/** A rendered clip, and the segments of the same render. */
async function renderClip(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const source = join(directory, 'source.mp4');
  await makeVideo(source, { seconds, ...size });
  const edit = spanEdit(0, seconds, {
    ...{ source: { ...size, frameRate: 12, hasAudio: true }, frameRate: 12, dimensions: size },
    framing: { mode: 'crop', x: 0, y: 0, ...size },
  });
  const segments: string[] = [];
  await render(edit, {
    ...{ source, output: join(directory, 'a.mp4'), quality: 'preview' },
    signal: new AbortController().signal,
    onSegment: async (path) => {
      await copyFile(path, join(directory, basename(path)));
      segments.push(`previews/clip/${basename(path)}`);
    },
  });
  return segments;
}

describe('a preview that is played while it is rendered', () => {
  let directory: string;
  let segments: string[];
  let server: PageServer;
  let tab: Tab;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-stream-'));
    segments = await renderClip(join(directory, 'previews', 'clip'));
    server = await PageServer.start({}, directory);
  });
  after(async () => {
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    tab = await openTab();
  });
  afterEach(() => tab?.close());

  /** The first `count` segments are there. */
  const rendered = (count: number, attempt = 1): void => {
    const isComplete = count === segments.length;
    const stream = { attempt, keys: segments.slice(0, count), isComplete };
    const unmade = { state: 'preparing', previewKey: null, storyboard: null } as const;
    server.clips.set('clip', { ...server.clip, ...unmade, stream });
  };
  const ready = (): void => {
    const { stream } = server.clips.get('clip')!;
    server.clips.set('clip', { ...server.clip, stream });
  };
  const open = () => tab.go(server.player('?autoplay=1&muted=1'));
  const isFile = `${video}.src.endsWith('/a.mp4')`;

  it('begins with the first second, and goes on to the end as the others come', async () => {
    rendered(2);
    await open();
    await untilTrue(tab, `${video}.currentTime > 0.5`);
    assert.ok(Math.abs(Number(await tab.evaluate(`${video}.duration`)) - seconds) < 0.1);
    assert.equal(
      await tab.evaluate(`document.querySelector('.notice:not([hidden])') === null`),
      true,
    );
    rendered(segments.length);
    await untilTrue(tab, `${video}.currentTime > 2`);
    ready();
    await untilTrue(tab, `${video}.ended`);
    assert.equal(await tab.evaluate(isFile), false, 'without an interruption');
  });

  it('goes on as the file, where it was, if that is there before the last segment', async () => {
    rendered(2);
    await open();
    await untilTrue(tab, `${video}.currentTime > 0.5`);
    await tab.evaluate(`void ${video}.addEventListener('playing', () => {
      window.resumed ??= ${video}.currentTime;
    })`);
    ready();
    await untilTrue(tab, isFile);
    await untilTrue(tab, `${video}.currentTime > 1.5 && !${video}.paused`);
    assert.ok(Number(await tab.evaluate('window.resumed')) > 0.4);
  });

  it('waits for the file if another attempt renders it again', async () => {
    rendered(2);
    await open();
    await untilTrue(tab, `${video}.currentTime > 0.5`);
    rendered(3, 2);
    await untilTrue(tab, `!!document.querySelector('.notice[data-for="preparing"]:not([hidden])')`);
    ready();
    await untilTrue(tab, `${isFile} && ${video}.currentTime > 0`);
  });

  it('has no address for a segment that is not there', async () => {
    rendered(2);
    const status = async (segment: string): Promise<number> =>
      (await fetch(`${server.player()}/stream/${segment}`)).status;
    assert.equal(await status('1-0'), 200);
    for (const segment of ['1-2', '2-0', '1--1', '1', 'x-0', '1-0-0']) {
      assert.equal(await status(segment), 404, segment);
    }
  });
});
