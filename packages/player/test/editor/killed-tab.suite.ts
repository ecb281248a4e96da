import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { editDocumentSchema, editRevisionsSchema, type EditDocument } from 'clip-kit/contract';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { waitFor } from 'clip-testkit/wait-for';
import { launchBrowser, newPage } from 'clip-testkit/browser';
import { click, killTab, openEditor, top } from '../support/editor-page.ts';
import { randomFrom } from 'clip-testkit/random';
import { World } from 'clip-testkit/world';

let world: World;
let browser: Browser;
let context: BrowserContext;
before(async () => {
  [world, browser] = await Promise.all([World.start({ ingestWaitMs: 200 }), launchBrowser()]);
  context = await browser.createBrowserContext();
});
after(async () => {
  await browser?.close();
  await world?.close();
});

it('a tab killed at any moment of 200 edits loses at most the last one', async () => {
  const random = randomFrom(7);
  const user = await world.user();
  const dimensions = { width: 108, height: 192 };
  const [clip] = await world.makeShorts(user, { target_clip_count: 1, dimensions });
  const token = await world.token(user);
  const address = `${world.service.url}/embed/${clip!.id}?edit#external_access_token=${token}`;
  const path = `/projects/${clip!.id}/edit`;
  const stored = async (): Promise<EditDocument> =>
    editDocumentSchema.parse((await world.get(path, { as: user })).body);

  /** The title of each revision that the page has got an answer for. */
  const answered = new Map<number, unknown>();
  const openTab = async (): Promise<Page> => {
    const page = await newPage(context);
    page.on('response', async (response) => {
      if (response.request().method() !== 'PATCH' || !response.ok()) return;
      // The body of an answer to a killed tab cannot be read any more.
      const body = await response.json().catch(() => null);
      if (body) answered.set(body.edit.revision, body.edit.changes.title);
    });
    await openEditor(page, address);
    await click(page, top('[data-tool=style]'));
    await page.waitForFunction(() =>
      document
        .querySelector('clip-editor')
        ?.shadowRoot?.querySelector('clip-style')
        ?.shadowRoot?.querySelector('#title'),
    );
    return page;
  };
  const retitle = (page: Page, title: string): Promise<void> =>
    page.evaluate((title) => {
      const look = document.querySelector('clip-editor')!.shadowRoot!.querySelector('clip-style')!;
      const field = look.shadowRoot!.querySelector<HTMLInputElement>('#title')!;
      field.value = title;
      field.dispatchEvent(new Event('change'));
    }, title);
  /** Waits until all is stored. Somebody else's change would stay there for ever. */
  const settle = (page: Page): Promise<unknown> =>
    page.waitForFunction((id) => !localStorage.getItem(`clip-edit:${id}`), {}, clip!.id);

  let page = await openTab();
  let kills = 0;
  const kept = { last: 0, before: 0 };
  for (let edit = 1; edit <= 200; edit += 1) {
    await retitle(page, `Title ${edit}`);
    if (random() < 0.1) await settle(page);
    if (random() < 0.9) continue;
    // The moment is what is random: from the edit until after its answer, a second later.
    await setTimeout(random() * 1400);
    kills += 1;
    await killTab(page);
    page = await openTab();
    await settle(page);
    const { changes } = await stored();
    if (changes.title === `Title ${edit}`) kept.last += 1;
    else {
      assert.equal(changes.title, `Title ${edit - 1}`, 'at most the last change is lost');
      kept.before += 1;
    }
  }
  await settle(page);
  assert.equal((await stored()).changes.title, 'Title 200');
  assert.ok(kills >= 10 && kept.last > 0, JSON.stringify({ kills, kept }));
  const { body } = await world.get(`${path}/revisions`, { as: user });
  const revisions = editRevisionsSchema.parse(body);
  const known = revisions.filter(({ revision }) => answered.has(revision));
  assert.ok(known.length > 10, `${known.length} answered revisions`);
  for (const { revision, changes } of known) {
    assert.equal(changes.title, answered.get(revision), `revision ${revision}`);
  }
  await page.close();
  await waitFor('the preview', async () => (await stored()).preview === 'ready');
});
