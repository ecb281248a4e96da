import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { removeOtherBinaries } from '../../tools/own-binaries.mjs';

it('leaves the binaries of this machine, and all where it has none of its own', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'clip-binaries-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const binaries = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
  const all = () => readdirSync(binaries, { recursive: true }).map(String).sort();
  for (const other of ['aix/ppc64', `${process.platform}/ppc`]) {
    mkdirSync(join(binaries, other), { recursive: true });
  }
  const before = all();
  removeOtherBinaries(folder);
  assert.deepEqual(all(), before);
  const own = join(process.platform, process.arch);
  mkdirSync(join(binaries, own));
  removeOtherBinaries(folder);
  assert.deepEqual(all(), ['aix', process.platform, own]);
});
