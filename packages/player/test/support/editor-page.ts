/** The editor in a browser. */
import type { Page } from 'puppeteer-core';

export const top = (selector: string): string => `clip-editor >>> ${selector}`;

/** A part of the editor, through its shadow roots. */
export const part = (name: string, selector: string): string =>
  `clip-editor >>> clip-${name} >>> ${selector}`;

/** Opens the editor, and waits until it shows the picture of the clip. */
export async function openEditor(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => {
    const editor = document.querySelector('clip-editor')?.shadowRoot;
    const picture = editor?.querySelector('clip-picture')?.shadowRoot;
    return picture?.querySelector('canvas') && !picture.querySelector('.over');
  });
}

/** Ends the process of a tab, as the system does: nothing of the page runs after that. */
export async function killTab(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  const ended = new Promise((resolve) => page.once('error', resolve));
  // It never answers.
  session.send('Page.crash').catch(() => {});
  await ended;
  await page.close();
}

export async function click(page: Page, selector: string): Promise<void> {
  const element = await page.waitForSelector(selector);
  await element!.click();
}
