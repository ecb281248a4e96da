/** A page with the elements writes nothing to the browser's console. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startMountPages, type MountPages } from '../../bench/mount/pages.ts';

let pages: MountPages;

before(async () => {
  pages = await startMountPages();
});

after(() => pages.close());

describe('the console of a page', () => {
  for (const name of [
    'clip-preview',
    'clip-preview, its frame loaded',
    'clip-embed, its frame loaded',
  ]) {
    it(`stays empty: ${name}`, async () => {
      const tab = await pages.open();
      const said: string[] = [];
      tab.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
      await tab.evaluate(`cycle(${JSON.stringify(name)}, 3)`);
      await tab.close();
      assert.deepEqual(said, []);
    });
  }
});
