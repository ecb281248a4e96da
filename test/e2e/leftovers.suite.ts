/**
 * Elements that are added and removed by the hundred (`npm run test:long`: by the thousand) leave
 * nothing in a page's memory: no node, no listener, no object.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { median } from '../../bench/figures.ts';
import { measureGrowth, resolution } from '../../bench/heap.ts';
import { startMountPages, type MountPages } from '../../bench/mount/pages.ts';

let pages: MountPages;

before(async () => {
  pages = await startMountPages();
});

after(() => pages.close());

const nothing = { nodes: 0, listeners: 0, documents: 0 };

describe('after hundreds of elements were added and removed', () => {
  for (const name of ['clip-preview', 'clip-export-button', 'clip-preview, lazy']) {
    it(`${name}: nothing is left, and the heap does not keep growing`, async () => {
      const { bytes, ...left } = await measureGrowth(pages, name, 3, 1000);
      assert.deepEqual(left, nothing);
      // One retained object of each element would be more than this in every thousand.
      assert.ok(median(bytes) < resolution, `${bytes} bytes`);
    });
  }
});

describe('after elements whose frame was loaded', () => {
  for (const name of ['clip-preview, its frame loaded', 'clip-embed, its frame loaded']) {
    it(`${name}: no node, listener or document is left`, async () => {
      const { bytes, ...left } = await measureGrowth(pages, name, 1, 50);
      assert.deepEqual(left, nothing);
    });
  }
});
