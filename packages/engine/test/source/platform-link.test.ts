import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findMachineFault, type ProcessError } from '../../src/program/process-error.ts';
import {
  fetchFromPlatform,
  fetchPlatformSubtitles,
  isPlatformLink,
} from '../../src/source/platform-link.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

describe('a platform’s link', () => {
  it('is one of a site with pages of players, and no file of it', () => {
    for (const url of ['https://www.youtube.com/watch?v=1', 'https://youtu.be/1']) {
      assert.equal(isPlatformLink(url), true);
    }
    for (const url of ['https://notyoutube.com/1', 'https://cdn.loom.com/1.mp4', 'youtube.com']) {
      assert.equal(isPlatformLink(url), false);
    }
  });

  it('is refused where yt-dlp is not installed', async (context) => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    const options = { path: '/nowhere/video', allowPrivate: false, signal: context.signal };
    await assert
      .rejects(fetchFromPlatform('https://youtu.be/abc', options), (error) => {
        assert.ok(error instanceof SourceError, String(error));
        assert.equal(error.code, 'source-unsupported');
        assert.match(error.message, /youtu\.be is a web page.*install yt-dlp/);
        return true;
      })
      .finally(() => (process.env['PATH'] = path));
  });
});

describe('a program for platform links that fails', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const path = process.env['PATH'];

  before(async () => {
    directory = await temporaryDirectory();
    process.env['PATH'] = [directory.path, path].join(delimiter);
  });
  after(async () => {
    process.env['PATH'] = path;
    await directory.remove();
  });

  const failure = async (script: string, signal: AbortSignal): Promise<unknown> => {
    await writeFile(join(directory.path, 'yt-dlp'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const output = join(directory.path, 'video');
    const options = { path: output, allowPrivate: false, signal };
    return fetchFromPlatform('https://youtu.be/abc', options).catch((error: unknown) => error);
  };

  it('has the address check in front of its connections, and no extractor of any page', async (context) => {
    const ask = `require('http').request(process.argv[1], { method: 'CONNECT', path: '10.0.0.1:443' })
      .on('connect', ({ statusCode }) => console.error('status', statusCode)).end()`;
    const script = `echo "$@" >&2; while [ "$1" != --proxy ]; do shift; done
      "${process.execPath}" -e "${ask}" "$2"; exit 1`;
    const error = await failure(script, context.signal);
    assert.ok(error instanceof SourceError);
    const { stderrTail } = error.cause as ProcessError;
    assert.match(stderrTail, /--use-extractors all,-generic .*status 403/s);
  });

  it('says that the video is not to be had', async (context) => {
    const error = await failure('echo "ERROR: Private video" >&2; exit 1', context.signal);
    assert.ok(error instanceof SourceError);
    assert.equal(error.code, 'source-unreachable');
  });

  it('gives its subtitles, or none if it fails', async (context) => {
    const script = (body: string) =>
      writeFile(join(directory.path, 'yt-dlp'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const fetched = () =>
      fetchPlatformSubtitles('https://youtu.be/abc', {
        directory: directory.path,
        allowPrivate: false,
        language: 'de-CH',
        signal: context.signal,
      });
    await script(`cd "${directory.path}"; echo "$@" > asked; echo WEBVTT > transcript.de.vtt
      echo WEBVTT > transcript.de-orig.vtt`);
    const path = join(directory.path, 'transcript.vtt');
    assert.equal(await fetched(), path);
    const left = (await readdir(directory.path)).filter((name) => name.endsWith('.vtt'));
    assert.deepEqual(left, ['transcript.vtt']);
    const asked = await readFile(join(directory.path, 'asked'), 'utf8');
    assert.match(asked, /--skip-download .*--sub-langs de-CH,de,de-orig -- https:/);
    await rm(path);
    await script('exit 1');
    assert.equal(await fetched(), null);
  });

  it('does not blame the source where it was killed from outside', async (context) => {
    const error = await failure('kill -9 $$', context.signal);
    assert.ok(!(error instanceof SourceError));
    assert.equal(findMachineFault(error)?.code, 'program-killed');
  });

  it('does not blame the source where the disk is full', async (context) => {
    const script = 'echo "ERROR: unable to write data: No space left on device" >&2; exit 1';
    const error = await failure(script, context.signal);
    assert.ok(!(error instanceof SourceError));
    assert.equal(findMachineFault(error)?.code, 'disk-full');
  });
});
