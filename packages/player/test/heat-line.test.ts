import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { openPage } from 'clip-testkit/browser';
import { PageServer } from 'clip-testkit/page-server';
import { sharedBrowser } from './support/shared-browser.ts';
import { drawHeatPath } from '../src/page/heat-line.ts';

const at = (second: number, share: number) => ({ second, share, watched: 0 });

describe('the heat line', () => {
  it('is at the share in the middle of each ten seconds, and of the rest', () => {
    const report = { views: 4, retention: [at(0, 1), at(10, 0.5), at(20, 0.25)] };
    assert.equal(drawHeatPath(report, 25), 'M0 100L0 0L200 0L600 50L900 75L1000 75L1000 100Z');
  });

  it('is not there for a clip that was not watched, or has no length', () => {
    assert.equal(drawHeatPath({ views: 0, retention: [at(0, 0)] }, 5), '');
    assert.equal(drawHeatPath({ views: 1, retention: [at(0, 1)] }, NaN), '');
  });

  describe('of an embed page', () => {
    let server: PageServer;
    let browser: Browser;
    before(async () => {
      [server, browser] = await Promise.all([PageServer.start(), sharedBrowser()]);
    });
    after(() => server?.close());

    const heat = async (query: string, settled: string): Promise<string | null> => {
      const { page, problems, close } = await openPage(browser);
      try {
        await page.goto(server.embed(query, 'token'));
        await page.waitForSelector(settled);
        assert.deepEqual(problems, []);
        return await page.evaluate(() => {
          const line = document.querySelector('.timeline .heat');
          const box = line?.getBoundingClientRect();
          const seek = document.querySelector('.seek')!.getBoundingClientRect();
          if (!box) return null;
          if (box.width < seek.width / 2 || box.height < 10 || box.bottom > seek.bottom)
            return 'off';
          return line!.querySelector('path')!.getAttribute('d');
        });
      } finally {
        await close();
      }
    };

    it('stands over the time line if the address has heat=1', async () => {
      assert.equal(
        await heat('?heat=1', '.timeline .heat'),
        'M0 100L0 25L500 25L1000 25L1000 100Z',
      );
    });

    it('is not asked for otherwise', async () => {
      assert.equal(await heat('', '.player:not([hidden])'), null);
      assert.equal(server.reportsRead, 1);
    });
  });
});
