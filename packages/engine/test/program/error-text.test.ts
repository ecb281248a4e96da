import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { formatError } from '../../src/program/ffmpeg-process.ts';

test('the log tells what went wrong with a file, and not which file it was', async () => {
  const error = await readFile('/nowhere/previews/secret-name.mp4').catch((caught) => caught);
  assert.equal(formatError(error), 'ENOENT (open)');
});

test('other errors are told as they are, without directories', () => {
  assert.equal(formatError(new Error('No sound in /data/work/a.mp4')), 'No sound in a.mp4');
  assert.equal(formatError('odd'), 'odd');
});
