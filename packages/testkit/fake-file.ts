import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers with the file or the range that was asked for, as a static file server does. */
export function sendFile(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(content);
  const etag = `"${bytes.length}"`;
  const given = { 'Content-Type': 'video/mp4', 'Accept-Ranges': 'bytes', ETag: etag, ...headers };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const asked = first !== undefined && (request.headers['if-range'] ?? etag) === etag;
  const start = asked ? Number(first) : 0;
  const end = asked && last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1;
  if (start > end) {
    response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
    return;
  }
  const piece = bytes.subarray(start, end + 1);
  response.writeHead(asked ? 206 : 200, {
    ...given,
    'Content-Length': piece.length,
    ...(asked ? { 'Content-Range': `bytes ${start}-${end}/${bytes.length}` } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : piece);
}
