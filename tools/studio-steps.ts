/** The steps of a person in the demo's studio, for the tools that take pictures of it. */
import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import { frameOf } from 'clip-testkit/browser';

export const startMaking = (page: Page): Promise<void> =>
  page.locator('clip-create >>> .start:not([aria-disabled=true])').click();

/** Waits until every clip of the page's video is ready, and shows its poster. */
export async function waitForClips(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const videos = document.querySelector('clip-videos')!.shadowRoot!;
    const list = document.querySelector('clip-list')!;
    return list.status === 'ready' && list.clips.length && !videos.querySelector('[part=progress]');
  });
  await page.evaluate(() => {
    const list = document.querySelector('clip-list')!.shadowRoot!;
    for (const clip of list.querySelectorAll('clip-preview')) {
      clip.shadowRoot!.querySelector('img')!.loading = 'eager';
    }
  });
  await page.waitForNetworkIdle();
}

/** Opens the first clip in the editor. Resolves when it is drawn, and no message covers it. */
export async function openEditor(page: Page): Promise<Frame> {
  await page.locator('.act .button').click();
  const element = await page.waitForSelector('clip-embed >>> iframe');
  const editor = await frameOf(element as ElementHandle<HTMLIFrameElement>);
  const picture = await editor.waitForSelector('clip-editor >>> clip-picture');
  await editor.waitForFunction(
    (drawn) =>
      drawn!.shadowRoot!.querySelector('canvas') && !drawn!.shadowRoot!.querySelector('.over'),
    {},
    picture,
  );
  // Browsers draw the sentences of a long transcript some frames later.
  await editor.waitForSelector('clip-editor >>> clip-words >>> .word.in');
  for (let frame = 0; frame < 3; frame++) {
    await editor.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  return editor;
}

/** Opens a tool of the editor. Resolves when the samples of styles are drawn. */
export async function openTool(editor: Frame, tool: string): Promise<void> {
  await editor.locator(`clip-editor >>> [data-tool=${tool}]`).click();
  if (tool !== 'style') return;
  await editor.waitForSelector('clip-editor >>> clip-style >>> canvas');
  await editor.waitForFunction(() => {
    const panel = document.querySelector('clip-editor')!.shadowRoot!.querySelector('clip-style')!;
    return [...panel.shadowRoot!.querySelectorAll('canvas')].every((canvas) =>
      canvas.getContext('2d')!.getImageData(0, 0, 1, 1).data.some(Boolean),
    );
  });
}
