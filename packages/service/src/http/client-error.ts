import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The answer to a request that could not be read, by the error's code; anything else is 400. */
const answers: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'The request took too long to arrive. Send it again at once and whole.',
  ],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
};

/** Answers a request that could not be read with a problem, and closes its connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  // As in Node's own handler: an answer on its way must not be followed by another one.
  socket: Socket & { _httpMessage?: { headersSent: boolean } | null },
): void {
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const [status, detail] = answers[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const title = STATUS_CODES[status];
  const code = 'invalid-request';
  const problem = { type: 'about:blank', title, status, code, detail, error: detail };
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
