import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { findProgram, ProcessError, run } from '../../src/program/ffmpeg-process.ts';

const endless = [
  '-v',
  'error',
  '-nostdin',
  '-f',
  'lavfi',
  '-i',
  'testsrc2=s=64x64',
  '-f',
  'null',
  '-',
];
const signal = () => new AbortController().signal;

test('a program’s output is gathered, and its failure is said with the end of its log', async () => {
  const { stdout } = await run('ffprobe', ['-version'], { signal: signal(), deadlineSeconds: 600 });
  assert.match(stdout, /^ffprobe version/);
  await assert.rejects(
    run('ffprobe', ['-v', 'error', '/nowhere/at/all.mp4'], {
      signal: signal(),
      deadlineSeconds: 600,
    }),
    (error) => {
      assert.ok(error instanceof ProcessError);
      assert.match(error.message, /all\.mp4: No such file/);
      assert.doesNotMatch(error.message, /nowhere/);
      return true;
    },
  );
});

test('a program that takes too long is stopped', async () => {
  await assert.rejects(
    run('ffmpeg', endless, { signal: signal(), deadlineSeconds: 0.3 }),
    /stopped after/,
  );
});

test('an aborted signal starts nothing', async () => {
  const reason = new Error('no');
  const started = run('ffmpeg', endless, {
    signal: AbortSignal.abort(reason),
    deadlineSeconds: 10,
  });
  await assert.rejects(started, (error) => error === reason);
});

/** Ids of the processes whose command line contains a text. */
async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const line = await readFile(join('/proc', entry, 'cmdline'), 'utf8').catch(() => '');
    if (line.includes(text) && line.includes('ffmpeg\0')) found.push(Number(entry));
  }
  return found;
}

const canDie = process.platform === 'linux' && findProgram('setpriv') !== null;

test('ffmpeg dies with the service, also when that is killed', { skip: !canDie }, async () => {
  const mark = `mark-${process.pid}-${Date.now()}`;
  const args = JSON.stringify(endless.toSpliced(-3, 0, '-metadata', `title=${mark}`));
  const module = new URL('../../src/program/ffmpeg-process.ts', import.meta.url).href;
  const code = `const { run } = await import(${JSON.stringify(module)});
    await run('ffmpeg', ${args}, { signal: new AbortController().signal, deadlineSeconds: 600 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
  try {
    // Before it is ffmpeg, it is the program that makes it end with its parent.
    await waitFor('ffmpeg', async () => {
      const names = (await processesWith(mark)).map((id) =>
        readFile(`/proc/${id}/comm`, 'utf8').catch(() => ''),
      );
      return (await Promise.all(names)).includes('ffmpeg\n');
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await waitFor('the end of ffmpeg', async () => (await processesWith(mark)).length === 0);
  } finally {
    // If the test fails, it must not leave the process behind.
    for (const id of await processesWith(mark)) process.kill(id, 'SIGKILL');
  }
});
