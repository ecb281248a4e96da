import { createReadStream, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { serve } from './serve.ts';

/** A `held/NAME` whose second half has not been sent. */
interface Held {
  response: ServerResponse;
  rest: Buffer;
}

export interface SourceServer {
  /** Address of a file of the directory, or of a special one. */
  at(name: string): string;
  /** Paths asked for so far, in order. */
  readonly requests: string[];
  /** Sends the rest of a `held/NAME`, once it is asked for. */
  release(name: string): void;
  /** Ends the connection of a `held/NAME`, once it is asked for. */
  cut(name: string): void;
  /** Resolves when the path is asked for the next time. */
  asked(name: string): Promise<IncomingMessage>;
  close(): Promise<void>;
}

function sendFile(path: string, request: IncomingMessage, response: ServerResponse): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Length': size });
  if (request.method === 'HEAD') response.end();
  else createReadStream(path).pipe(response);
}

/**
 * A site that sources come from, on loopback. Serves the directory's files, and: `page.mp4` (HTML),
 * `playlist.mp4` (HLS), `cut.mp4` (ends before its length), `held/NAME` (the file's first half, and
 * the rest when it is released).
 */
export async function startSourceServer(directory: string): Promise<SourceServer> {
  const requests: string[] = [];
  const waiting = new Map<string, (request: IncomingMessage) => void>();
  const held = new Map<string, Held>();
  /** What is done with the next one of a path. */
  const ends = new Map<string, (one: Held) => void>();
  const endHeld = (path: string, end: (one: Held) => void): void => {
    const one = held.get(path);
    held.delete(path);
    if (one) end(one);
    else ends.set(path, end);
  };
  const { origin, close } = await serve((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '').slice(1);
    // A browser that opens one of the files asks for the site's icon.
    if (path === 'favicon.ico') return void response.writeHead(204).end();
    requests.push(path);
    waiting.get(path)?.(request);
    waiting.delete(path);
    const file = join(directory, basename(path));
    if (path === 'page.mp4') {
      response.writeHead(200, { 'Content-Type': 'video/mp4' }).end('<!doctype html><p>No video.');
    } else if (path === 'playlist.mp4') {
      response
        .writeHead(200, { 'Content-Type': 'video/mp4' })
        .end('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n');
    } else if (path === 'cut.mp4') {
      response.writeHead(200, { 'Content-Length': 5_000_000 });
      response.write(Buffer.alloc(1000), () => response.destroy());
    } else if (path.startsWith('held/') && path.endsWith('.mp4')) {
      const bytes = readFileSync(file);
      response.writeHead(200, { 'Content-Length': bytes.length });
      const one = { response, rest: bytes.subarray(bytes.length >> 1) };
      // Nobody waits for the rest any more.
      response.once('close', () => held.get(path) === one && held.delete(path));
      // Not before the first half has left: an answer that was cut earlier would be none at all.
      response.write(bytes.subarray(0, bytes.length >> 1), () => {
        held.set(path, one);
        const end = ends.get(path);
        if (ends.delete(path)) endHeld(path, end!);
      });
    } else {
      sendFile(file, request, response);
    }
  });
  return {
    at: (name) => `${origin}/${name}`,
    requests,
    release: (name) => endHeld(name, ({ response, rest }) => response.end(rest)),
    cut: (name) => endHeld(name, ({ response }) => response.destroy()),
    asked: (name) => new Promise((resolve) => waiting.set(name, resolve)),
    close,
  };
}
