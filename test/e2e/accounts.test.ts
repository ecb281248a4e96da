/**
 * Two people in one browser, with the real host: what one of them has begun or clicked is never
 * paid for by the other, and not shown to them.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { launchBrowser, newPage } from 'clip-testkit/browser';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { listen } from 'clip-testkit/mounted-host';

type Person = 'ann' | 'ben';

const create = '<clip-create></clip-create>';
const videos = '<clip-videos></clip-videos>';
const button = (project: string): string =>
  `<clip-export-button project="${project}"></clip-export-button>`;

let kit: Buffer;
let browser: Browser;
before(async () => {
  [kit, browser] = await Promise.all([
    readFile(new URL('../../dist/cdn/clip-studio.js', import.meta.url)),
    launchBrowser(),
  ]);
});
after(() => browser.close());

/** One browser profile, and a site with the host. */
class Site {
  readonly host: HostWorld;
  readonly origin: string;
  readonly #context: BrowserContext;
  /** What the pages have asked of the host. */
  readonly asked: string[];

  private constructor(host: HostWorld, origin: string, context: BrowserContext, asked: string[]) {
    this.host = host;
    this.origin = origin;
    this.#context = context;
    this.asked = asked;
  }

  static async open(t: TestContext): Promise<Site> {
    const asked: string[] = [];
    const host = await HostWorld.open(t);
    const server = createServer(
      nodeHandler(async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname.startsWith('/clips/')) {
          asked.push(`${request.method} ${pathname.slice('/clips'.length)}`);
          return host.host(request);
        }
        if (pathname === '/kit.js') {
          return new Response(new Uint8Array(kit), {
            headers: { 'Content-Type': 'text/javascript' },
          });
        }
        const page = `<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
          <meta name="clip-config" content="endpoint=/clips"><script type="module" src="/kit.js"></script>
          ${searchParams.get('body')}`;
        return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      }),
    );
    const origin = await listen(server, t);
    const context = await browser.createBrowserContext();
    t.after(() => context.close());
    return new Site(host, origin, context, asked);
  }

  async signIn(person: Person): Promise<void> {
    await this.#context.setCookie({ name: 'user', value: person, domain: '127.0.0.1', path: '/' });
  }

  /** A new tab. It notes each name of a file or link that is drawn. */
  async page(body: string): Promise<Page> {
    const page = await newPage(this.#context);
    await page.evaluateOnNewDocument(() => {
      const names = new Set<string>();
      Object.assign(globalThis, { names });
      const look = (): void => {
        for (const { shadowRoot } of document.querySelectorAll('clip-create')) {
          for (const { textContent } of shadowRoot?.querySelectorAll('[part=title]') ?? []) {
            names.add(textContent);
          }
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(`${this.origin}/?${new URLSearchParams({ body })}`);
    await page.waitForFunction(() =>
      document.querySelector(':defined[project], clip-create:defined, clip-videos:defined'),
    );
    return page;
  }

  /** Who has paid for each video, in turn. */
  get payers(): Person[] {
    const { tasks, users } = this.host.service.world;
    const [ann] = users.keys();
    return [...tasks.values()].map(({ author }) => (author === ann ? 'ann' : 'ben'));
  }
}

const reaches = (page: Page, tag: string, ...statuses: string[]) =>
  page.waitForFunction(
    (name: string, wanted: string[]) =>
      wanted.includes((document.querySelector(name) as unknown as { status: string }).status),
    {},
    tag,
    statuses,
  );

const makeOfLinks = (page: Page, ...links: string[]) =>
  page.evaluate(async (urls: string[]) => {
    const element = document.querySelector('clip-create')!;
    for (const url of urls) await element.chooseLink(url);
    await element.start();
  }, links);

const makeOfFile = (page: Page) =>
  page.evaluate(async () => {
    const element = document.querySelector('clip-create')!;
    await element.choose([new File(['bytes of a video'], 'secret.mp4', { type: 'video/mp4' })]);
    await element.start();
  });

const names = (page: Page) =>
  page.evaluate(() => [...(globalThis as unknown as { names: Set<string> }).names].join());

/** The tag of the account that storage has. */
const shownTag = (page: Page) =>
  page.evaluate(
    () => Object.entries(localStorage).find(([key]) => key.startsWith('clip-kit:account:'))![1],
  );

const post = { method: 'POST', path: /^\/tasks\// } as const;

describe('a video that ann has begun, and ben opens the page', () => {
  for (const [what, status, begin] of [
    [
      'a link that was refused (402)',
      402,
      (page: Page) => makeOfLinks(page, 'https://a.example/secret.mp4'),
    ],
    ['a file that had no room (507)', 507, (page: Page) => makeOfFile(page)],
  ] as const) {
    it(`${what}: ben neither pays for it nor sees its name; ann gets it back`, async (t) => {
      const site = await Site.open(t);
      const { service } = site.host;
      service.order({
        method: 'POST',
        path: status === 402 ? post.path : /^\/uploads$/,
        how: { status },
      });
      await site.signIn('ann');
      // Her first page: nothing has named the account before the refusal.
      const anns = await site.page(create);
      await begin(anns);
      await reaches(anns, 'clip-create', 'limit');
      await anns.waitForFunction("[...names].join().includes('secret')");
      const tag = await shownTag(anns);
      await anns.close();

      await site.signIn('ben');
      site.asked.length = 0;
      const bens = await site.page(create);
      await bens.waitForFunction(
        (before) => !Object.values(localStorage).includes(before),
        {},
        tag,
      );
      await makeOfLinks(bens, 'https://b.example/own.mp4');
      await reaches(bens, 'clip-create', 'started');
      assert.deepEqual(site.asked, ['GET /account', 'POST /tasks/video-to-shorts']);
      assert.doesNotMatch(await names(bens), /secret/);
      assert.deepEqual(site.payers, ['ben']);
      await bens.close();

      await site.signIn('ann');
      const again = await site.page(create);
      if (status === 402) {
        // It would be paid for: she is asked first.
        await reaches(again, 'clip-create', 'paused');
        assert.deepEqual(site.payers, ['ben']);
        await again.click('clip-create >>> .resume');
      }
      await reaches(again, 'clip-create', 'started');
      assert.deepEqual(site.payers, ['ben', 'ann']);
    });
  }

  it('a page with nothing stored asks nothing before a click', async (t) => {
    const site = await Site.open(t);
    await site.signIn('ann');
    const page = await site.page(create + button('p'));
    await makeOfLinks(page, 'https://a.example/1.mp4');
    await reaches(page, 'clip-create', 'started');
    const [first, ...others] = site.asked;
    assert.equal(first, 'POST /tasks/video-to-shorts');
    // Once the page knows who she is, the button looks for what she has exported elsewhere.
    assert.ok(
      others.every((one) => one === 'GET /exports'),
      others.join(),
    );
  });
});

describe('ben signs in in another tab', () => {
  it('three links that ann has queued are not made for him, and wait for her', async (t) => {
    const site = await Site.open(t);
    const { service } = site.host;
    const first = service.hold(post.method, post.path);
    await site.signIn('ann');
    const anns = await site.page(create + videos);
    await reaches(anns, 'clip-videos', 'ready');
    await makeOfLinks(
      anns,
      'https://a.example/1.mp4',
      'https://a.example/2.mp4',
      'https://a.example/3.mp4',
    );
    await first.arrived;
    await site.signIn('ben');
    await reaches(await site.page(videos), 'clip-videos', 'ready');
    // Frames are drawn only in the tab in front.
    await anns.bringToFront();
    first.release();
    await reaches(anns, 'clip-create', 'idle', 'started', 'error');
    await anns.waitForFunction(
      () => !document.querySelector('clip-create')!.shadowRoot!.querySelector('[part=item]'),
    );
    assert.deepEqual(new Set(site.payers), new Set(['ann']));

    await site.signIn('ann');
    const again = await site.page(create);
    await reaches(again, 'clip-create', 'started');
    assert.deepEqual(site.payers, ['ann', 'ann', 'ann']);
  });

  for (const [what, body] of [
    ['has shown who she is', videos],
    ['has asked nothing so far', ''],
  ] as const) {
    it(`a click on the export button of ann's page, which ${what}, is not his`, async (t) => {
      const site = await Site.open(t);
      const { service } = site.host;
      const project = await site.host.clip('ann');
      await site.signIn('ann');
      await reaches(await site.page(videos), 'clip-videos', 'ready');
      const anns = await site.page(body + button(project));
      if (body) await reaches(anns, 'clip-videos', 'ready');
      // Nothing but the click tells her page who is signed in by then.
      await anns.setRequestInterception(true);
      anns.on('request', (request) => {
        if (request.method() !== 'GET') void request.continue();
      });
      await site.signIn('ben');
      await reaches(await site.page(videos), 'clip-videos', 'ready');
      const shown = await anns.evaluate(async () => {
        const element = document.querySelector('clip-export-button')!;
        const status = await element.start();
        return [status, element.error?.code];
      });
      assert.deepEqual(shown, ['idle', 'account-changed']);
      assert.deepEqual(service.sent('POST', /exports$/), []);
      assert.equal(service.world.exports.size, 0);
    });
  }

  it("a link on ann's page that has asked nothing so far waits for another click", async (t) => {
    const site = await Site.open(t);
    await site.signIn('ann');
    await reaches(await site.page(videos), 'clip-videos', 'ready');
    const page = await site.page(create);
    await site.signIn('ben');
    await makeOfLinks(page, 'https://a.example/1.mp4');
    await reaches(page, 'clip-create', 'error');
    assert.deepEqual(site.payers, []);
    await page.evaluate(() =>
      document
        .querySelector('clip-create')!
        .shadowRoot!.querySelector<HTMLElement>('.retry')!
        .click(),
    );
    await reaches(page, 'clip-create', 'started');
    assert.deepEqual(site.payers, ['ben']);
  });
});
