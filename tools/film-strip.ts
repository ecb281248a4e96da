/**
 * Takes pictures of the states of studio, elements, editor and documentation on a phone and on a
 * desktop, in light and dark colours, and puts them together as the contact sheets of
 * `docs/design.md`. The single pictures are in `.data/film-strip/pictures`.
 * Names of sheets take only those: `npm run film-strip -- feed docs`.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HTTPRequest, Page } from 'puppeteer-core';
import type { Project } from 'clip-kit/contract';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { createStateHost } from '../demo/pages/elements/state-host.ts';
import { startDemo } from '../demo/server/demo.ts';
import { openEditor, openTool, startMaking, waitForClips } from './studio-steps.ts';

const sheets = fileURLToPath(new URL('../docs/images/design/', import.meta.url));
const dataDir = fileURLToPath(new URL('../.data/film-strip/', import.meta.url));
const singles = join(dataDir, 'pictures');
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 844 } };
const schemes = ['light', 'dark'] as const;
const maxStepMs = 300_000;

interface Scene {
  readonly name: string;
  readonly path: string;
  /** The case of the state host that answers the studio; without it, the service does. */
  readonly state?: string;
  readonly signedOut?: boolean;
  readonly lang?: string;
  /** The number of the card on the page of an element that is shown alone, or all of them. */
  readonly card?: number | 'all';
  readonly act?: (page: Page) => Promise<unknown>;
}

const showList = (page: Page) =>
  page
    .locator('.work:not([hidden]) h1')
    .map((title) => scrollTo(0, (title as HTMLElement).offsetTop - 24))
    .wait();

async function startSample(page: Page): Promise<void> {
  await page.locator('.give .link').click();
  await startMaking(page);
}

async function startBeyondLimit(page: Page): Promise<void> {
  await startSample(page);
  await page.waitForSelector('clip-create >>> [part=error]');
}

async function selectClips(page: Page): Promise<void> {
  await page.locator('clip-list >>> [part=check] input').click();
  await showList(page);
}

/** Waits until the frame that never loads is given up. */
const awaitErrors = (page: Page) =>
  page.waitForFunction(() => document.querySelectorAll('clip-preview:state(error)').length === 2);

const showStudio = (state: string, more: Partial<Scene> = {}): Scene => ({
  name: state,
  path: '/',
  state,
  ...more,
});

const showCards = (tag: string, cards: readonly string[]): Scene[] =>
  cards.map((name, index) => ({ name, path: `/elements/${tag}/`, card: index + 1 }));

const editTool = (tool: string, lang = 'en'): Scene => ({
  name: lang === 'en' ? tool : `${tool} (${lang})`,
  path: '/',
  lang,
  act: async (page) => openTool(await openEditor(page), tool),
});

const showDocs = (path: string): Scene => ({ name: path || 'home', path: `/docs/${path}` });

/** The scenes of each sheet. */
const strip: Readonly<Record<string, readonly Scene[]>> = {
  studio: [
    showStudio('signed out', { signedOut: true }),
    showStudio('empty'),
    showStudio('hold', { name: 'loading' }),
    showStudio('unknown', { name: 'error' }),
    showStudio('limit', { name: 'limit reached', act: startBeyondLimit }),
    showStudio('ready', { name: 'processing', act: showList }),
    { name: 'ready', path: '/' },
    showStudio('many', { name: '40 clips (de)', lang: 'de', act: selectClips }),
    showStudio('many', { name: '40 clips (ja)', lang: 'ja', act: showList }),
  ],
  list: showCards('clip-list', ['ready', 'processing', 'loading', 'empty', 'signed out', 'rtl']),
  cards: [
    { name: 'previews', path: '/elements/clip-preview/', card: 'all', act: awaitErrors },
    { name: 'exports', path: '/elements/clip-export-button/', card: 'all' },
  ],
  feed: showCards('clip-feed', ['ready', 'strip', 'loading', 'empty', 'signed out', 'rtl', 'many']),
  editor: [
    ...['words', 'style', 'layout', 'post', 'export'].map((tool) => editTool(tool)),
    editTool('words', 'de'),
    editTool('words', 'ja'),
  ],
  docs: ['', 'elements/clip-list', 'host-contract', 'hosts/wordpress'].map(showDocs),
};

const [, , ...wanted] = process.argv;
const browser = await launchBrowser();
const demo = await startDemo({ port: 0, servicePort: 0, dataDir, log: console.log });

const ask = async <T>(path: string): Promise<T> => (await fetch(demo.url + path)).json();
const states = createStateHost(() => ask<Project[]>('/sample-clips'));

/** Answers the studio of a state; all other requests go on. */
async function answerState(request: HTTPRequest, scene: Scene): Promise<void> {
  const { pathname, search } = new URL(request.url());
  if (scene.state && pathname === '/api/session') {
    const session = await ask<object>(pathname);
    const [person] = (session as { people: object[] }).people;
    const body = { ...session, person: scene.signedOut ? null : person, endpoint: '/states' };
    await request.respond({ contentType: 'application/json', body: JSON.stringify(body) });
  } else if (scene.state && pathname.startsWith('/states/')) {
    const address = `/${scene.state}${pathname.slice('/states'.length)}${search}`;
    const answer = await states.request(address, { method: request.method() });
    await request.respond({
      status: answer.status,
      contentType: answer.headers.get('Content-Type')!,
      body: await answer.text(),
    });
  } else await request.continue();
}

/** Hides what the page of an element says of its states; one alone has its usual size. */
const isolateCard = (card: number | 'all'): string => `
  #head, .intro, .state > :is(header, .markup) { display: none }
  .page { padding-block: 1rem }
  .state { border: 0; background: none }
  .state .stage { padding: 0; background: none }
  ${
    card === 'all'
      ? '.states { grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)) }'
      : `.states { grid-template-columns: minmax(0, 1fr) }
         .state:not(:nth-child(${card})) { display: none }
         .stage clip-feed:not([layout]) { block-size: calc(100dvh - 2rem); aspect-ratio: auto }`
  }`;

/** Waits until nothing more is loaded, or only what a host holds, which never ends. */
async function settle(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ concurrency: 4, timeout: 5000 }).catch(() => {});
  await page.evaluate(() =>
    Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
  );
}

/** The files of the pictures of a scene: phone and desktop, each light and dark. */
const nameFiles = (sheet: string, { name }: Scene): `${string}.png`[] =>
  Object.keys(sizes).flatMap((size) =>
    schemes.map(
      (scheme) =>
        `${singles}/${sheet}-${name.replaceAll(/\W+/g, '-')}-${size}-${scheme}.png` as const,
    ),
  );

async function takeScene(page: Page, sheet: string, scene: Scene): Promise<void> {
  const script = await page.evaluateOnNewDocument((lang) => {
    document.addEventListener('readystatechange', () => (document.documentElement.lang = lang));
  }, scene.lang ?? 'en');
  const listen = (request: HTTPRequest) => void answerState(request, scene).catch(() => {});
  page.on('request', listen);
  const files = nameFiles(sheet, scene);
  const storage = await page.createCDPSession();
  for (const viewport of Object.values(sizes)) {
    await page.setViewport(viewport);
    await page.goto('about:blank');
    // A scene does not continue what another one has started.
    await storage.send('Storage.clearDataForOrigin', {
      origin: demo.url,
      storageTypes: 'indexeddb,local_storage',
    });
    await page.goto(demo.url + scene.path);
    if (scene.card) await page.addStyleTag({ content: isolateCard(scene.card) });
    if (!scene.act) await settle(page);
    await scene.act?.(page);
    for (const value of schemes) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      await settle(page);
      await page.screenshot({ path: files.shift()! });
    }
    const { scrollWidth } = await page.evaluate(() => document.documentElement);
    if (scrollWidth > viewport.width) console.log(`${sheet} ${scene.name}: ${scrollWidth} px wide`);
  }
  page.off('request', listen);
  await page.removeScriptToEvaluateOnNewDocument(script.identifier);
}

/** One row for each scene: its name, phone and desktop, in light and in dark colours. */
async function writeSheet(page: Page, sheet: string, scenes: readonly Scene[]): Promise<void> {
  const rows = await Promise.all(
    scenes.map(async (scene) => {
      const files = nameFiles(sheet, scene).map((file) => readFile(file, 'base64'));
      const images = (await Promise.all(files)).map(
        (data) => `<img src="data:image/png;base64,${data}">`,
      );
      return `<figcaption>${scene.name}</figcaption><p>${images.join('')}</p>`;
    }),
  );
  await page.setViewport({ width: 1240, height: 100 });
  await page.setContent(`<!doctype html><style>
    body { margin: 0; padding: 16px; background: #8a8a8a; font: 600 15px system-ui }
    figcaption { color: #fff } p { display: flex; gap: 8px; margin: 4px 0 16px }
    img { height: 300px }</style>${rows.join('')}`);
  await page.screenshot({
    path: join(sheets, `${sheet}.webp`) as `${string}.webp`,
    type: 'webp',
    quality: 50,
    fullPage: true,
  });
}

await mkdir(singles, { recursive: true });
await mkdir(sheets, { recursive: true });
try {
  const { page } = await openPage(browser);
  page.setDefaultTimeout(maxStepMs);
  await page.setBypassCSP(true);
  await page.setViewport(sizes.desktop);
  await page.goto(demo.url);
  await ask('/sample-clips');
  await page.locator('.people button').click();
  await page.waitForSelector('clip-videos:state(ready)');
  if (await page.$('.empty')) await startSample(page);
  await waitForClips(page);
  await page.setRequestInterception(true);
  for (const [sheet, scenes] of Object.entries(strip)) {
    if (wanted.length && !wanted.includes(sheet)) continue;
    for (const scene of scenes) await takeScene(page, sheet, scene);
    await writeSheet(page, sheet, scenes);
    console.log(`docs/images/design/${sheet}.webp`);
  }
} finally {
  await browser.close();
  await demo.close();
}
