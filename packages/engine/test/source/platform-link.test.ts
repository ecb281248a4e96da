import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { machineFault } from '../../src/program/process-error.ts';
import { fetchFromPlatform, fetchPlatformSubtitles } from '../../src/source/platform-link.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { temporaryDirectory } from '../support/media-footage.ts';

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
    return fetchFromPlatform('https://youtu.be/abc', { path: output, signal }).catch(
      (error: unknown) => error,
    );
  };

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
    assert.match(asked, /--skip-download .*--sub-langs de-CH,de,de-orig .*-- https:/);
    await rm(path);
    await script('exit 1');
    assert.equal(await fetched(), null);
  });

  it('does not blame the source where it was killed from outside', async (context) => {
    const error = await failure('kill -9 $$', context.signal);
    assert.ok(!(error instanceof SourceError));
    assert.equal(machineFault(error)?.code, 'program-killed');
  });

  it('does not blame the source where the disk is full', async (context) => {
    const script = 'echo "ERROR: unable to write data: No space left on device" >&2; exit 1';
    const error = await failure(script, context.signal);
    assert.ok(!(error instanceof SourceError));
    assert.equal(machineFault(error)?.code, 'disk-full');
  });
});
