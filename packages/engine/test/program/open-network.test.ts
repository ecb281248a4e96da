import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { it } from 'node:test';

it('runs networks with a library that reports to nobody', () => {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node');
  const folder = join(dirname(entry), '..', 'bin');
  const libraries = globSync('**/*{onnxruntime,.node}*', { cwd: folder, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  assert.ok(libraries.length >= 2, libraries.join());
  for (const library of libraries) {
    // Where versions 1.29 and later send what they ran, unless told not to.
    assert.ok(!readFileSync(library).includes('events.data.microsoft.com'), library);
  }
});
