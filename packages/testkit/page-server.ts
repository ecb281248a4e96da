import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { keptResult } from './kept-result.ts';
import { groupLines } from '../engine/src/captions/caption-lines.ts';
import { planPictureStrip } from '../engine/src/render/source-pictures.ts';
import { renderStoryboard } from 'clip-engine';
import type { Playable } from '../service/src/clips/queries.ts';
import { answerError } from '../service/src/api/answer-error.ts';
import { takePort, type HttpServer } from '../service/src/api/server.ts';
import type { AppEnv } from '../service/src/api/methods.ts';
import { Links } from '../service/src/links/links.ts';
import { makeClipView, addPlayerRoutes } from '../service/src/api/player.ts';
import { makePublicHeaders, sendFile } from '../service/src/api/send-file.ts';
import type { EmbedView, PageLook, PageSettings } from 'clip-player';
import { makeViewReport } from '../service/src/views/rules.ts';
import { createDiskStorage } from '../service/src/storage/disk.ts';
import { sentFiles } from '../service/src/storage/public-files.ts';
import { makeVideo } from './footage.ts';
import { spanEdit } from './span-edit.ts';

const dimensions = { width: 108, height: 192 };
const seconds = 5;
const words = ['Sleep', 'eight', 'hours'].map((text, index) => ({
  ...{ text, start: index, end: index + 0.8 },
}));
const edit = spanEdit(0, seconds, {
  ...{ dimensions, language: 'en' },
  captions: groupLines(words, { dimensions, duration: seconds }),
});

const keptClip = (): Promise<string> =>
  keptResult('page-clip', ['packages/testkit/page-server.ts'], async (root) => {
    const directory = join(root, 'previews', 'clip');
    await mkdir(directory, { recursive: true });
    const [clip, poster, output] = ['a.mp4', 'a.jpg', 'strip.jpg'].map((n) => join(directory, n));
    await makeVideo(clip!, { seconds, ...dimensions });
    const frame = ['-v', 'error', '-nostdin', '-i', clip!, '-frames:v', '1', poster!];
    await promisify(execFile)('ffmpeg', frame);
    const { signal } = new AbortController();
    await renderStoryboard(edit, { clip: clip!, output: output!, signal });
  });

const ready: Playable = {
  ...{
    authorId: 'ann',
    organizationId: 'site',
    privateClips: null,
    state: 'ready',
    name: 'Three simple habits',
    ...dimensions,
    edit,
  },
  ...{ score: 0.8, explanation: 'It answers its own question.', message: null },
  previewKey: 'previews/clip/a.mp4',
  stream: null,
  posterKey: 'previews/clip/a.jpg',
  storyboard: { ...planPictureStrip(dimensions, seconds, 160), key: 'previews/clip/strip.jpg' },
};

/** What the pages show before the preview of a clip is made. */
export const preparing: Pick<
  Playable,
  'state' | 'edit' | 'previewKey' | 'posterKey' | 'stream' | 'storyboard'
> = {
  ...{ state: 'preparing', edit: null, previewKey: null },
  ...{ posterKey: null, stream: null, storyboard: null },
};

/** Tokens that the server takes. Any other one is refused. */
export const tokens = ['token', 'renewed'] as const;

/**
 * The pages as the service sends them, of clips that are only in memory: no database, no queue, no
 * renders. `clip` is ready; its files are the same for all.
 */
export class PageServer {
  readonly url: string;
  /** By id. A test may add clips of its own, and change them. */
  readonly clips = new Map<string, Playable>([['clip', ready]]);
  /** What only the embed page shows. */
  readonly embedded = {
    download_url: null as string | null,
    files: ['edit.json', 'storyboard.vtt'],
    permissions: ['view'] as const,
  };
  readonly clip = ready;
  /** How often a page has asked for the views of a clip. */
  reportsRead = 0;
  /** Signs the links of clips that are private. */
  links!: Links;
  /** The ends of the links with which files of private clips were asked for; null: refused. */
  readonly opened: (number | null)[] = [];
  /** How far the server's clock is ahead: links end earlier. */
  aheadMs = 0;
  readonly #door: HttpServer;

  private constructor(door: HttpServer) {
    this.#door = door;
    this.url = `http://localhost:${door.port}`;
  }

  /** Of the organization of all clips. */
  look: PageLook | undefined;

  /** `directory`: with other files of the clip, in `previews/clip/`. */
  static async start(pages: PageSettings = {}, directory?: string): Promise<PageServer> {
    const storage = createDiskStorage(directory ?? (await keptClip()));
    const server = new PageServer(await takePort(0, undefined, 10_000));
    const app = new Hono<AppEnv>();
    app.onError(answerError(() => {}));
    const publicUrl = (): string => server.url;
    const queue = { prioritize: async () => {} };
    const links = (server.links = new Links({
      byDefault: false,
      keys: async () => ({ current: 'key', next: 'another' }),
      settingOf: async () => null,
      files: sentFiles,
      publicUrl,
      now: () => Date.now() + server.aheadMs,
    }));
    addPlayerRoutes(
      app,
      { files: sentFiles, indexPlayerPages: false, links, pages, publicUrl, storage, queue },
      { find: async (id) => server.clips.get(id), findLook: async () => server.look },
    );
    app.get('/files/previews/clip/:name', async (c) => {
      const name = c.req.param('name');
      const headers = makePublicHeaders(
        name.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg',
        'no-cache',
      );
      return (await sendFile(c, storage, `previews/clip/${name}`, headers)) ?? c.notFound();
    });
    app.get('/player/:id/files/previews/clip/:name', async (c) => {
      const name = c.req.param('name');
      const link = await links.open(c.req.param('id'), c.req.query());
      server.opened.push(link?.expires ?? null);
      const headers = makePublicHeaders(
        name.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg',
        'no-store',
      );
      const answer = link && (await sendFile(c, storage, `previews/clip/${name}`, headers));
      return answer ?? c.notFound();
    });
    app.use('/embed-api/*', cors());
    app.use('/embed-api/*', (c, next) =>
      tokens.some((token) => c.req.header('authorization') === `Bearer ${token}`)
        ? next()
        : Promise.resolve(c.body(null, 401)),
    );
    app.get('/embed-api/projects/:id', (c) => {
      const playable = server.clips.get(c.req.param('id'));
      if (!playable) return c.notFound();
      const { score, explanation } = playable;
      const view = makeClipView(sentFiles, c.req.param('id'), playable, null);
      return c.json({ ...view, score, explanation, ...server.embedded } satisfies EmbedView);
    });
    app.get('/embed-api/projects/:id/views', (c) => {
      server.reportsRead += 1;
      const counts = { views: 4, muted: 0, marks: [3], places: {} };
      return c.json(makeViewReport(c.req.param('id'), counts, seconds));
    });
    app.get('/embed-api/projects/:id/files/edit.json', (c) => c.json(edit));
    server.#door.open(app.fetch);
    return server;
  }

  player(query = '', id = 'clip'): string {
    return `${this.url}/player/${id}${query}`;
  }

  /** Without a token: the address that the page leaves in the browser. */
  embed(query = '', token?: string, id = 'clip'): string {
    const fragment = token === undefined ? '' : `#external_access_token=${token}`;
    return `${this.url}/embed/${id}${query}${fragment}`;
  }

  close(): Promise<void> {
    return this.#door.close();
  }
}

/** A site of another origin: an empty page, with the headers that its query names. */
export async function startSite(): Promise<{ url: string; close: () => Promise<void> }> {
  const door = await takePort(0, '127.0.0.1', 10_000);
  door.open(({ url }) => {
    const headers = Object.fromEntries(new URL(url).searchParams);
    const html = '<!doctype html><title>Site</title><link rel="icon" href="data:,">';
    return new Response(html, { headers: { ...headers, 'Content-Type': 'text/html' } });
  });
  return { url: `http://127.0.0.1:${door.port}/`, close: door.close };
}
