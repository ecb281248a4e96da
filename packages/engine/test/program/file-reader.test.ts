import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readInProcess } from '../../src/program/file-reader.ts';
import { isOfTheInput, ProcessError } from '../../src/program/process-error.ts';

/** Reads with a script that the kernel kills after its first answer, as often as given. */
async function readKilled(times: number) {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'clip-reader-'));
  const tries = join(directory.path, 'tries');
  const script = join(directory.path, 'script.mjs');
  await writeFile(tries, '');
  await writeFile(
    script,
    `import { appendFileSync, readFileSync, writeSync } from 'node:fs';
    appendFileSync(process.argv[2], '.');
    writeSync(1, '"an answer"\\n');
    const { length } = readFileSync(process.argv[2], 'utf8');
    if (length <= ${times}) process.kill(process.pid, 'SIGKILL');`,
  );
  const { signal } = new AbortController();
  const outcome = await readInProcess({
    script: pathToFileURL(script),
    args: [tries],
    signal,
  }).catch((error: unknown) => error);
  return { outcome, tries: (await readFile(tries, 'utf8')).length };
}

describe('a process that reads a file', () => {
  it('is started again if it was killed, and nothing is answered twice', async () => {
    assert.deepEqual(await readKilled(1), { outcome: ['an answer'], tries: 2 });
  });

  it('that was killed twice is not started again: the file is at fault', async () => {
    const { outcome, tries } = await readKilled(9);
    assert.ok(outcome instanceof ProcessError && isOfTheInput(outcome), String(outcome));
    assert.equal(tries, 2);
  });
});
