import type { Page } from 'puppeteer-core';
import { waitFor } from 'clip-testkit/wait-for';

/** What a page shows about the progress of its work. */
const shownIn = (page: Page): Promise<unknown> =>
  page.evaluate(() => ({
    address: location.href,
    bars: [...document.querySelectorAll('progress')].map(({ value }) => value),
    exports: [document, ...[...document.querySelectorAll('clip-list')].map((one) => one.shadowRoot)]
      .flatMap((root) => [...(root?.querySelectorAll('clip-export-button') ?? [])])
      .map((button) => [button.status, button.export?.progress]),
    text: document.body.innerText,
  }));

/** Waits until a condition holds in a page, as long as the page shows progress. */
export const waitInPage = (
  page: Page,
  what: string,
  holds: (value: string) => boolean,
  value = '',
): Promise<true> =>
  waitFor(
    what,
    async () => (await page.evaluate(holds, value)) && true,
    () => shownIn(page),
  );
