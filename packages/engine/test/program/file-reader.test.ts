import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readInProcess } from '../../src/program/file-reader.ts';
import { ProcessError } from '../../src/program/process-error.ts';
import { temporaryDirectory } from '../support/media-footage.ts';

describe('a process that reads a file', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => void (directory = await temporaryDirectory()));
  after(() => directory.remove());
  let scripts = 0;

  /** The answers of a script of this code. */
  async function answersOf(code: string, signal: AbortSignal, input = ''): Promise<unknown[]> {
    const path = join(directory.path, `script-${(scripts += 1)}.mjs`);
    await writeFile(path, code);
    const answers: unknown[] = [];
    const onAnswer = (answer: unknown) => answers.push(answer);
    await readInProcess({ script: pathToFileURL(path), args: ['a'], input, signal, onAnswer });
    return answers;
  }

  it('gets arguments and input, and answers in lines of any length', async (t) => {
    const code = `
      let text = '';
      for await (const part of process.stdin) text += part;
      console.log(JSON.stringify(process.argv.slice(2)));
      console.log(JSON.stringify(text));`;
    const long = 'é'.repeat(500_000);
    assert.deepEqual(await answersOf(code, t.signal, long), [['a'], long]);
  });

  for (const [what, code] of [
    ['many small parts', 'const all = []; for (;;) all.push(new Array(1000).fill(1));'],
    ['one large list', "'a,'.repeat(2 ** 27).split(',');"],
  ] as const) {
    it(`ends alone if it needs too much memory, in ${what}`, async (t) => {
      await assert.rejects(answersOf(code, t.signal), (error) => {
        assert.ok(error instanceof ProcessError);
        assert.equal(error.end, 'memory');
        return true;
      });
    });
  }

  it('waits for its turn if two others read', async (t) => {
    const code = `
      console.log(performance.timeOrigin);
      await new Promise((resolve) => setImmediate(resolve));
      console.log(performance.timeOrigin + performance.now());`;
    const times = (await Promise.all(
      Array.from({ length: 6 }, () => answersOf(code, t.signal)),
    )) as [number, number][];
    for (const [start] of times) {
      const others = times.filter(([from, to]) => from <= start && start < to);
      assert.ok(others.length <= 2, `${others.length} at once`);
    }
  });
});
