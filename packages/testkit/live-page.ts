import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Browser, Page } from 'puppeteer-core';
import { captionFonts, type OwnFont, openEmojiFont, type Edit } from 'clip-engine';
import { readAsset } from '../player/src/assets.ts';
import type { LiveDrawing, LiveOptions } from '../player/src/editor/live.ts';
import { openPage } from './browser.ts';
import { sendFile } from './fake-file.ts';
import { serve } from './serve.ts';

/** What tests use in the page. */
declare global {
  interface Window {
    live: LiveDrawing;
    /** The frames on the canvas, and when each was drawn, in milliseconds. */
    drawn: { frame: number; at: number }[];
    /** Called after each picture. */
    onDrawn?: () => void;
  }
}

/** The policy of a page that edits. */
export const editingPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; media-src 'self' blob:; img-src 'self'; connect-src 'self'";

const html = '<!doctype html><meta charset="utf-8"><canvas></canvas><video></video><video></video>';

/** A page of an origin that serves the pages' scripts, and the files that it is given. */
export class LivePage {
  readonly page: Page;
  readonly problems: readonly string[];
  readonly #files: Map<string, Uint8Array>;
  readonly #close: () => Promise<void>;
  /** Bytes of the scripts as they were sent. */
  readonly assetBytes: ReadonlyMap<string, number>;

  private constructor(
    opened: Awaited<ReturnType<typeof openPage>>,
    files: Map<string, Uint8Array>,
    assetBytes: Map<string, number>,
    close: () => Promise<void>,
  ) {
    this.page = opened.page;
    this.problems = opened.problems;
    this.#files = files;
    this.assetBytes = assetBytes;
    this.#close = close;
  }

  static async open(browser: Browser, policy = editingPolicy): Promise<LivePage> {
    const files = new Map<string, Uint8Array>();
    const assetBytes = new Map<string, number>();
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const [, room, name = ''] = request.url!.split('/');
      if (room === 'favicon.ico') return void response.writeHead(204).end();
      if (room === 'assets') {
        const asset = await readAsset(name, request.headers['accept-encoding'] ?? '');
        if (!asset) return void response.writeHead(404).end();
        assetBytes.set(name, asset.bytes.length);
        const encoding = asset.encoding !== 'identity' && { 'Content-Encoding': asset.encoding };
        response.writeHead(200, { 'Content-Type': asset.type, ...encoding }).end(asset.bytes);
        return;
      }
      const file = files.get(name);
      if (room === 'files' && file) return sendFile(request, response, file);
      const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': policy };
      response.writeHead(room === '' ? 200 : 404, headers).end(html);
    };
    const site = await serve((request, response) => void answer(request, response));
    const opened = await openPage(browser);
    await opened.page.goto(site.origin);
    return new LivePage(opened, files, assetBytes, async () => {
      await opened.close();
      await site.close();
    });
  }

  /** Serves a file as `/files/{name}`. */
  async serve(name: string, file: string | Uint8Array): Promise<string> {
    this.#files.set(name, typeof file === 'string' ? await readFile(file) : file);
    return `/files/${name}`;
  }

  /**
   * Opens the live drawing of an edit on the page's canvas, with the fonts of this machine, and
   * those that are not installed.
   */
  async draw(
    edit: Edit,
    proxy: LiveOptions['proxy'],
    size: { width: number; height: number } = edit.dimensions,
    own: readonly OwnFont[] = [],
  ): Promise<void> {
    const { files, fallback } = await captionFonts(edit, new AbortController().signal, own);
    const fonts = await Promise.all(files.map((file, index) => this.serve(`font-${index}`, file)));
    const emojiFont = await openEmojiFont();
    for (const { emoji } of edit.emojis) {
      const png = emojiFont?.png(emoji);
      if (png) await this.serve(encodeURIComponent(emoji), png);
    }
    await this.page.evaluate(
      async ({ edit, proxy, size, fonts, fallback, script }) => {
        window.live?.close();
        window.drawn = [];
        const { LiveDrawing } = (await import(script)) as {
          LiveDrawing: { create(options: LiveOptions): Promise<LiveDrawing> };
        };
        const canvas = document.querySelector('canvas')!;
        canvas.width = size.width;
        canvas.height = size.height;
        const [one, two] = document.querySelectorAll('video');
        const bytes = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
        window.live = await LiveDrawing.create({
          canvas,
          videos: [one!, two!],
          proxy,
          edit,
          fonts: { files: await Promise.all(fonts.map(bytes)), fallback },
          loadEmoji: async (emoji) => {
            const answer = await fetch(`/files/${encodeURIComponent(emoji)}`);
            return answer.ok ? createImageBitmap(await answer.blob()) : null;
          },
          loadMusic: async (id) => (await fetch(`/files/${id}`)).blob(),
          onDrawn: (frame) => {
            window.drawn.push({ frame, at: performance.now() });
            window.onDrawn?.();
          },
        });
        await window.live.seek(0);
      },
      { edit, proxy, size, fonts, fallback, script: '/assets/live.js' },
    );
  }

  close(): Promise<void> {
    return this.#close();
  }
}
