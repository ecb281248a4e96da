import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readAsset } from '../src/assets.ts';
import 'clip-testkit/built-pages';

test('an asset comes packed as the browser accepts it, each with a tag of its own', async () => {
  const [plain, gzip, brotli] = await Promise.all(
    ['', 'gzip, deflate', 'gzip, deflate, br'].map((accepted) => readAsset('page.js', accepted)),
  );
  assert.deepEqual(
    [plain, gzip, brotli].map((asset) => asset!.encoding),
    ['identity', 'gzip', 'br'],
  );
  assert.deepEqual(gunzipSync(gzip!.bytes), Buffer.from(plain!.bytes));
  assert.deepEqual(brotliDecompressSync(brotli!.bytes), Buffer.from(plain!.bytes));
  assert.equal(new Set([plain, gzip, brotli].map((asset) => asset!.etag)).size, 3);
});

test('an encoding that the browser refuses is not used', async () => {
  assert.equal((await readAsset('page.js', 'br;q=0, gzip'))!.encoding, 'gzip');
});

test('no other file is an asset', async () => {
  assert.equal(await readAsset('assets.ts', ''), null);
});

test('all that the editor loads to draw has at most 1.2 MB', async () => {
  const names = ['live.js', 'text-worker.js', 'jassub-worker.js', 'jassub-worker.wasm'];
  const assets = await Promise.all(names.map((name) => readAsset(name, 'gzip')));
  const bytes = assets.reduce((sum, asset) => sum + asset!.bytes.length, 0);
  assert.ok(bytes < 1_200_000, `${bytes} bytes`);
  assert.equal(assets.at(-1)!.type, 'application/wasm');
});
