import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { translateForTerminal, explainError } from '../../src/cli/reason.ts';
import { ProgramError } from '../../src/program/process-error.ts';
import { download } from '../../src/source/download.ts';
import { SourceError } from '../../src/source/source-error.ts';

describe('an error at a terminal', () => {
  it('of a private address names the option, not the variable of a service', async () => {
    const error = await download('http://127.0.0.1:9/video.mp4', {
      // It is removed when the download fails.
      path: join(tmpdir(), 'never-downloaded.mp4'),
      allowPrivate: false,
      maxBytes: 1,
      signal: new AbortController().signal,
    }).catch((cause: Error) => new SourceError('source-private-address', cause.message));
    assert.equal(
      explainError(error),
      '127.0.0.1 is on a private or reserved network. If you trust it, add --allow-private.',
    );
  });

  it('asks to run the command again, and sends no request', () => {
    const error = new SourceError(
      'source-truncated',
      'The file is incomplete. Upload the whole file again, then send a new request.',
    );
    assert.match(explainError(error), /then run the command again\.$/);
  });

  it('of the file system is a sentence', () => {
    const failed = (code: string) => Object.assign(new Error(code), { code, syscall: 'mkdir' });
    assert.equal(
      explainError(failed('EPERM')),
      'The file or folder cannot be changed: the system does not permit it.',
    );
    assert.equal(explainError(failed('ENOSPC')).split('.')[0], 'The disk is full');
  });

  it('of a program that is missing names it', () => {
    const lack = 'The installed ffmpeg does not have the filter ass.';
    assert.equal(explainError(new ProgramError(lack)), lack);
    const caused = new Error('x', { cause: new ProgramError(lack) });
    assert.match(explainError(caused), /^ffmpeg or ffprobe is not inst/);
  });
});

describe('a note at a terminal', () => {
  it('speaks to nobody else', () => {
    const service =
      'No font with colour emoji is installed, so the captions have no emoji. Ask the service’s operator to install fonts-noto-color-emoji.';
    assert.match(translateForTerminal(service), / Install fonts-noto-color-emoji\.$/);
  });
});
