/**
 * What a visitor and a member do on a site, the same on every site:
 *
 * - Its home has a `<clip-preview>`.
 * - The page of the clip has a `<clip-embed>`, a `<clip-export-button>` with a watermark, an
 *   `<output>` in which a listener of the page says that the clip is ready, and a `<clip-create>`.
 * - Each page links to the other.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Browser,
  BrowserContext,
  ConsoleMessage,
  ElementHandle,
  HTTPRequest,
  Page,
} from 'puppeteer-core';
import { newPage } from 'clip-testkit/browser';
import { waitFor } from 'clip-testkit/wait-for';
import { clipId, type ClipWorld } from './clip-world.ts';
import type { Site, WalkStep } from './site.ts';

/** The watermark of each site, without its defaults. */
const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9, pos_y: 0.5, scale: 1 };

const statusIs = (tag: string, status: string): string =>
  `first(${JSON.stringify(tag)})?.status === ${JSON.stringify(status)}`;

/** What is in an element's shadow root, when the element has drawn it and takes a press. */
function partOf(tag: string, selector: string): string {
  const element = `first(${JSON.stringify(tag)})`;
  return `(${element}?.inert === false && ${element}.shadowRoot && first(${JSON.stringify(selector)}, ${element}.shadowRoot))`;
}

/** A member's browser on a site. */
export class Walk {
  readonly #world: ClipWorld;
  readonly #site: Site;
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #directory: string;
  #isDevelopment = false;
  /** Messages of the console since the last look. */
  readonly #said: string[] = [];
  /** Paid starts that there should be. */
  #starts: number;
  #exportId = '';

  private constructor(world: ClipWorld, site: Site, page: Page, directory: string) {
    this.#world = world;
    this.#site = site;
    this.#context = page.browserContext();
    this.#page = page;
    this.#directory = directory;
    this.#starts = world.starts.length;
    page.on('pageerror', (error) => this.#hear(String(error)));
    page.on('console', (message) => this.#note(message));
  }

  /** `directory`: where the site is. */
  static async begin(
    browser: Browser,
    world: ClipWorld,
    site: Site,
    directory: string,
  ): Promise<Walk> {
    const context = await browser.createBrowserContext();
    const page = await newPage(context);
    const walk = new Walk(world, site, page, directory);
    if (site.logIn) await site.logIn(page, world.origin);
    else await context.setCookie({ name: 'user', value: 'ann', domain: '127.0.0.1', path: '/' });
    // The first preview in the document: it must stay the same element through hydration.
    await page.evaluateOnNewDocument(() => {
      // Also in the shadow roots of a site's own elements.
      const first = (selector: string, root: ParentNode = document): Element | null => {
        const found = root.querySelector(selector);
        if (found) return found;
        for (const { shadowRoot } of root.querySelectorAll('*')) {
          const inside = shadowRoot && first(selector, shadowRoot);
          if (inside) return inside;
        }
        return null;
      };
      /** A part of an element, if nothing covers it: development servers draw over their pages. */
      const uncovered = (part: Element | null): Element | null => {
        part?.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = part?.getBoundingClientRect() ?? new DOMRect();
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        for (let root = part?.getRootNode(); root instanceof ShadowRoot;) {
          if (root.host.contains(top)) return part;
          root = root.host.getRootNode();
        }
        return null;
      };
      Object.assign(globalThis, { first, uncovered });
      const seen = new MutationObserver(() => {
        const preview = first('clip-preview');
        if (!preview) return;
        Object.assign(globalThis, { firstPreview: preview });
        seen.disconnect();
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    return walk;
  }

  /** The header of the member's cookies. */
  async cookies(): Promise<string> {
    const all = await this.#context.cookies();
    return all.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  end(): Promise<void> {
    return this.#context.close();
  }

  /** What only this site has to show. */
  async look(look: NonNullable<Site['look']>): Promise<void> {
    await look(this.#page, this.#world.origin);
    this.#quiet();
  }

  /** Does a step. Then there must be no message, and no start too many. */
  async step(name: WalkStep): Promise<void> {
    await this.#explained(() => (name === 'early press' ? this.pressEarly() : this[name]()));
    this.#quiet();
  }

  /**
   * Presses the export button of the server's page while the scripts of the site are still on their
   * way, and the elements are already defined by another copy of the kit; then again when the
   * browser has continued the page. One export starts, with the watermark of the page.
   */
  async pressEarly(): Promise<void> {
    const page = this.#page;
    const held: HTTPRequest[] = [];
    const hold = (request: HTTPRequest): void => {
      if (request.resourceType() === 'script') held.push(request);
      else void request.continue();
    };
    await page.setRequestInterception(true);
    page.on('request', hold);
    const opened = page.goto(this.#clip).catch((error: unknown) => error);
    const button = (await page.waitForSelector('clip-export-button'))!;
    const kit = join(this.#directory, 'node_modules/clip-kit/dist/cdn/clip-studio.js');
    const file = await page.addScriptTag({ type: 'module', content: await readFile(kit, 'utf8') });
    await file.dispose();
    const text = await button.waitForSelector('>>> [part="status"]');
    assert.equal(await text!.evaluate((shown) => shown.textContent!.trim()), '');
    await (await button.waitForSelector('>>> [part="button"]'))!.click();
    page.off('request', hold);
    await page.setRequestInterception(false);
    for (const request of held) await request.continue();
    assert.ok(!((await opened) instanceof Error), 'The page did not load.');
    // The page is continued once its listener hears an event.
    await this.#until(`(() => {
      const event = new Event('clip-export-ready', { bubbles: true, composed: true });
      first('clip-export-button').dispatchEvent(event);
      return first('output').textContent.includes('ready');
    })()`);
    this.#starts += 1;
    await this.#started();
    await this.#press('clip-export-button', '[part="button"]');
    const again = 'first(\'.again\', first("clip-export-button").shadowRoot)';
    assert.ok(!(await page.evaluate(again)), 'Another export is offered.');
    this.#world.service.world.finish(this.#exportId);
    await this.#until(statusIs('clip-export-button', 'ready'));
    await page.evaluate('first("clip-export-button").reset()');
  }

  /** Chooses a video on the page of the clip: it is sent whole, and starts one task. */
  async upload(): Promise<void> {
    const bytes = Buffer.alloc(300_000, 'a talk ');
    const file = join(this.#directory, 'a talk.mp4');
    await writeFile(file, bytes);
    await this.#open(this.#clip);
    const input = await this.#until(partOf('clip-create', 'input[type="file"]'));
    await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
    await this.#until(statusIs('clip-create', 'chosen'));
    await this.#press('clip-create', '.start');
    await this.#until(statusIs('clip-create', 'started'));
    const [kept, ...others] = this.#world.service.world.uploads.values();
    assert.ok(kept && kept.bytes.equals(bytes), `${kept?.bytes.length} bytes have come`);
    assert.deepEqual(others, []);
    assert.deepEqual(
      this.#world.tasks.map((body) => (body as { source_video_url?: string }).source_video_url),
      [kept.upload.url],
    );
  }

  /** Opens the home page and plays its preview. */
  async preview(): Promise<void> {
    await this.#open(this.#home);
    await this.#press('clip-preview', '[part="play"]');
    await this.#until(statusIs('clip-preview', 'ready'));
    await this.#until('!first("clip-preview").paused');
    await this.#until('first("clip-preview").currentTime > 0');
    if (this.#site.rendered === 'hydrated') {
      const same = await this.#page.evaluate('globalThis.firstPreview === first("clip-preview")');
      assert.ok(same, 'The server’s <clip-preview> was replaced instead of hydrated.');
    }
  }

  /** Goes to the page of the clip by its link; the embed opens with a token. */
  async embed(): Promise<void> {
    await this.#follow(this.#clip);
    await this.#until(statusIs('clip-embed', 'ready'));
    const frame = await this.#page.waitForFrame((one) =>
      one.url().startsWith(`${this.#world.frames}/embed/`),
    );
    assert.match(frame.url(), new RegExp(`/embed/${clipId}.*#external_access_token=.+`));
  }

  /** Exports once, with the watermark of the page. */
  async export(): Promise<void> {
    await this.#press('clip-export-button', '[part="button"]');
    this.#starts += 1;
    await this.#started();
  }

  /** Reloads in the middle of the export: it is found again. */
  async reload(): Promise<void> {
    await this.#page.reload();
    await this.#running();
  }

  /** The render ends, the listener of the page hears it, and the file is downloaded. */
  async download(): Promise<void> {
    this.#world.service.world.finish(this.#exportId);
    await this.#until(statusIs('clip-export-button', 'ready'));
    if (!this.#site.without?.listener) {
      await this.#until('first("output").textContent.includes("ready")');
    }
    const session = await this.#page.createCDPSession();
    const ended = new Promise<string>((resolve) =>
      session.on('Browser.downloadProgress', ({ state }) => {
        if (state !== 'inProgress') resolve(state);
      }),
    );
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      browserContextId: this.#context.id!,
      downloadPath: this.#directory,
      eventsEnabled: true,
    });
    await this.#press('clip-export-button', '.download');
    assert.equal(await ended, 'completed');
    await session.detach();
  }

  /** To the home page, back and forward: the pages work again, and nothing is paid for again. */
  async route(): Promise<void> {
    await this.#follow(this.#home);
    await this.#until(statusIs('clip-preview', 'idle'));
    await this.#page.goBack();
    await this.#until(statusIs('clip-embed', 'ready'));
    await this.#until(statusIs('clip-export-button', 'ready'));
    await this.#page.goForward();
    await this.#until('first("clip-preview")?.status');
    await this.#page.goBack();
    await this.#until(statusIs('clip-export-button', 'ready'));
  }

  /** Starts an export, and has a text of the page edited: the export goes on. */
  async hotReload(
    { edit, saveAgain }: { edit: () => Promise<void>; saveAgain: () => Promise<void> },
    { to }: { to: string },
  ): Promise<void> {
    this.#isDevelopment = true;
    // A development server may start once more after its first answers, and cut connections.
    await waitFor('the development server', async () => {
      const response = await this.#page.goto(this.#clip).catch(() => null);
      // It may prepare packages when a page first asks for them, and reload the page then.
      await this.#page.waitForNetworkIdle({ idleTime: 1000, timeout: 20_000 }).catch(() => {});
      return response?.status() === 200;
    });
    await this.#page.reload();
    this.#said.length = 0;
    // A page without memory gets the exports that the user has already paid for, one by one, and
    // again if the development server reloads it in the meantime.
    const press = `(async () => {
      const button = first('clip-export-button');
      if (button.status === 'ready') button.reset();
      await button.updateComplete;
      if (button.status === 'idle') first('[part="button"]', button.shadowRoot)?.click();
    })()`;
    const isFound = `['processing', 'ready'].includes(first('clip-export-button')?.status)`;
    await this.#explained(() =>
      waitFor('an export that runs', async () => {
        await this.#page.evaluate(press).catch(() => null);
        await this.#page.waitForFunction(isFound, { timeout: 10_000 }).catch(() => null);
        return this.#page.evaluate(statusIs('clip-export-button', 'processing')).catch(() => null);
      }),
    );
    this.#starts += 1;
    await this.#started();
    this.#quiet();
    await edit();
    const changed = `first("h1")?.textContent.includes(${JSON.stringify(to)})`;
    // The watcher of files, or the page, may not have been ready for the edit.
    let next = saveAgain;
    await this.#explained(() =>
      waitFor('the edited text', () =>
        this.#page.waitForFunction(changed, { timeout: 10_000 }).catch(async () => {
          await next();
          next = async () => void (await this.#page.reload());
        }),
      ),
    );
    await this.#running();
    this.#quiet();
    await this.step('download');
  }

  /** Adds to an error what the console and the elements of the page say. */
  async #explained(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const said = this.#said.join('\n');
      const elements = await this.#elements().catch((cause: Error) => cause.message);
      throw new Error(
        `${(error as Error).message}\nConsole: ${said || 'nothing'}\nPage: ${elements}`,
        { cause: error },
      );
    }
  }

  /** What the elements of the page say of themselves. */
  #elements(): Promise<string> {
    return this.#page.evaluate(() => {
      const { first } = globalThis as unknown as { first: (tag: string) => Element | null };
      const found = ['preview', 'embed', 'export-button', 'create'].flatMap(
        (name) => first(`clip-${name}`) ?? [],
      ) as (HTMLElement & { status?: string; error?: { code: string } | null })[];
      return [
        location.href,
        ...found.map(
          ({ localName, status, error, inert }) =>
            `${localName}: ${status ?? 'not defined'} ${error?.code ?? ''}${inert ? ' inert' : ''}`,
        ),
      ].join('\n');
    });
  }

  get #home(): string {
    return this.#world.origin + (this.#site.paths?.home ?? '/');
  }

  get #clip(): string {
    return this.#world.origin + (this.#site.paths?.clip ?? '/clip');
  }

  async #open(url: string): Promise<void> {
    const response = await this.#page.goto(url);
    // 304: a log-in that ends on this page has fetched it already.
    assert.ok(response && [200, 304].includes(response.status()), `${url}: ${response?.status()}`);
  }

  /** An export runs, and the start had the watermark of the page. */
  async #started(): Promise<void> {
    await this.#until(statusIs('clip-export-button', 'processing'));
    assert.deepEqual(this.#world.starts.at(-1), { watermark });
    await this.#until('first("clip-export-button").export');
    this.#exportId = (await this.#page.evaluate('first("clip-export-button").export.id')) as string;
  }

  /** The shown export runs, and is the one that was started. */
  async #running(): Promise<void> {
    const id = JSON.stringify(this.#exportId);
    await this.#until(statusIs('clip-export-button', 'processing'));
    await this.#until(`first("clip-export-button").export?.id === ${id}`);
  }

  /** Clicks on the link of the page to this address. */
  async #follow(address: string): Promise<void> {
    const link = await this.#page.waitForFunction(
      (href) => [...document.links].find((one) => one.href === href),
      {},
      address,
    );
    await (link as ElementHandle<HTMLAnchorElement>).click();
  }

  /**
   * Clicks on what is in an element's shadow root, as a person does, who waits until it takes a
   * press: the page of a server does so only when the browser has continued it, and no page does
   * during a view transition.
   */
  async #press(tag: string, selector: string): Promise<void> {
    await this.#until('!document.activeViewTransition');
    const part = await this.#until(`uncovered(${partOf(tag, selector)} || null)`);
    await (part as ElementHandle<Element>).click();
  }

  #until(condition: string): Promise<unknown> {
    return this.#page.waitForFunction(condition).catch((error: Error) => {
      throw new Error(`${condition}: ${error.message}`, { cause: error });
    });
  }

  #note(message: ConsoleMessage): void {
    // Lit says this in development servers, which load its development build.
    if (this.#isDevelopment && message.text().startsWith('Lit is in dev mode')) return;
    if (message.type() === 'error' || message.type() === 'warn') {
      this.#hear(`${message.text()} (${message.location().url ?? ''})`);
    }
  }

  #hear(text: string): void {
    // Vite has found another dependency, bundles all of them again, and reloads the page.
    const isBundledAgain =
      /504 \(.*\/\.vite\/deps\/|^TypeError: Failed to fetch dynamically imported module/.test(text);
    if (!(this.#isDevelopment && isBundledAgain)) this.#said.push(text);
  }

  #quiet(): void {
    assert.deepEqual(this.#said.splice(0), [], 'messages in the console');
    assert.equal(this.#world.starts.length, this.#starts, 'one paid start for each intent');
  }
}
