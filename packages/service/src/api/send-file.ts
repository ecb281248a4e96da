import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Storage } from '../storage/storage.ts';

/** Headers of a rendered file, which every site may show. */
export const makePublicHeaders = (type: string, cacheControl: string): Record<string, string> => ({
  'Content-Type': type,
  'Cache-Control': cacheControl,
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

/**
 * Answers GET or HEAD with a stored file: 200, 206 with one range, 304 or 416, each with `headers`.
 * Null if the file is not there.
 */
export async function sendFile(
  c: Context,
  storage: Storage,
  key: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response | null> {
  const file = await storage.stat(key);
  if (!file) return null;
  const common = {
    ...headers,
    'Accept-Ranges': 'bytes',
    ETag: file.etag,
    'Last-Modified': file.modified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
  };
  if (isNotModified(c.req.header('if-none-match'), file.etag)) {
    return new Response(null, { status: 304, headers: common });
  }
  const range = isRangeValid(c.req.header('if-range'), file)
    ? parseRange(c.req.header('range'), file.bytes)
    : 'whole';
  if (range === 'unsatisfiable') {
    return new Response(null, {
      status: 416,
      headers: { ...common, 'Content-Range': `bytes */${file.bytes}`, 'Content-Length': '0' },
    });
  }
  const part = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const body = c.req.raw.method === 'HEAD' || file.bytes === 0 ? null : storage.read(key, part);
  return new Response(body, {
    status: range === 'whole' ? 200 : 206,
    headers: {
      ...common,
      'Content-Length': String(part.end - part.start + 1),
      ...(range !== 'whole' && {
        'Content-Range': `bytes ${part.start}-${part.end}/${file.bytes}`,
      }),
    },
  });
}

/** Answers GET or HEAD with a text that is made for each request: 200, or 304. */
export function sendText(
  c: Context,
  text: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const common = { ...headers, ETag: etag, 'X-Content-Type-Options': 'nosniff' };
  return isNotModified(c.req.header('if-none-match'), etag)
    ? new Response(null, { status: 304, headers: common })
    : new Response(text, { headers: common });
}

/** The requested part of a file: all, one range (both ends included), or nothing that it has. */
export type Range = 'whole' | 'unsatisfiable' | { start: number; end: number };

/**
 * Reads a `Range` header (RFC 9110, section 14) against a file of `size` bytes. One byte range is
 * honoured. Several at once, other units and malformed headers are ignored, as the RFC allows.
 */
export function parseRange(header: string | undefined, size: number): Range {
  const match = /^bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'whole';
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(match[1]);
  if (match[2] !== '' && Number(match[2]) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1) };
}

/** Whether `If-Range` lets the range stand: the client must have a part of the same file. */
export function isRangeValid(
  header: string | undefined,
  file: { etag: string; modified: Date },
): boolean {
  if (header === undefined) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return header === file.etag;
  return Math.floor(file.modified.getTime() / 1000) * 1000 === Date.parse(header);
}

/** Whether `If-None-Match` names the file (weak comparison): then it has not changed. */
export const isNotModified = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
