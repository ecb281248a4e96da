/**
 * Asks one address for a time, over kept connections, each with one request at a time; a process of
 * its own, so that its work is not the server's. Bare sockets: an HTTP client costs more than the
 * servers that are measured. Told by `fork`'s one argument, answers with one message: {@link
 * LoadResult}. Any answer but 200 is an error.
 */
import { connect } from 'node:net';

export interface LoadSettings {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requests: number;
  /** Seconds from the first request to the last answer. */
  seconds: number;
}

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Bytes of the answer at the buffer's start, or 0 while its head is not whole. Throws for what is
 * not a plain 200.
 */
function answerLength(received: Buffer): number {
  const end = received.indexOf(endOfHead);
  if (end < 0) return 0;
  const head = received.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
    throw new Error(`Not the answer that is measured: ${received.toString('utf8', 0, 400)}`);
  }
  return end + endOfHead.length + Number(length);
}

const askAgainAndAgain = (
  url: URL,
  request: string,
  until: number,
  answered: () => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    let over = false;
    socket.on('connect', () => socket.write(request));
    socket.on('error', reject);
    socket.on('close', () =>
      over ? resolve() : reject(new Error('The server closed a connection that was in use.')),
    );
    socket.on('data', (piece: Buffer) => {
      received = received.length ? Buffer.concat([received, piece]) : piece;
      try {
        const length = answerLength(received);
        if (!length || received.length < length) return;
        received = received.subarray(length);
      } catch (error) {
        reject(error as Error);
        socket.destroy();
        return;
      }
      answered();
      over = performance.now() >= until;
      if (over) socket.end();
      else socket.write(request);
    });
  });

const { url, headers, connections, seconds } = JSON.parse(process.argv[2] ?? '') as LoadSettings;
const target = new URL(url);
const request = [
  `GET ${target.pathname}${target.search} HTTP/1.1`,
  `Host: ${target.host}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  '\r\n',
].join('\r\n');
let requests = 0;
const began = performance.now();
await Promise.all(
  Array.from({ length: connections }, () =>
    askAgainAndAgain(target, request, began + seconds * 1000, () => (requests += 1)),
  ),
);
const result: LoadResult = { requests, seconds: (performance.now() - began) / 1000 };
process.send?.(result, undefined, undefined, () => process.disconnect?.());
