import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

test('every entry can be imported without a page', async () => {
  const { ClipPreview } = await import('clip-kit');
  const { createClipHost } = await import('clip-kit/host');
  await import('clip-kit/clip-list');
  await import('clip-kit/upgrade');
  assert.equal(typeof ClipPreview, 'function');
  assert.equal(typeof createClipHost, 'function');
});

test('and required, by Node 20.19 or 22.12 and later', () => {
  const require = createRequire(import.meta.url);
  const { createClipHost } = require('clip-kit/host');
  const { ClipPreview } = require('clip-kit');
  assert.equal(typeof createClipHost, 'function');
  assert.equal(typeof ClipPreview, 'function');
});
