import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const finder = import.meta.resolve('../../src/framing/faces/face-finder.ts');

/** Exits while the worker searches the second of three pictures. */
const program = `
  const { openNetworkFinder } = await import(${JSON.stringify(finder)});
  const size = { width: 64, height: 64 };
  const { search } = openNetworkFinder(size, 'persons');
  const picture = new Uint8Array(new SharedArrayBuffer(4 * 64 * 64));
  const [first] = [search(picture), search(picture), search(picture)];
  await first;
  // Until the network itself runs: the worker scales the picture first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12);
  process.exit(7);
`;

test('a process that exits while a network runs ends with its own exit code', async () => {
  const child = spawn(process.execPath, ['-e', program]);
  assert.deepEqual(await once(child, 'close'), [7, null]);
});
