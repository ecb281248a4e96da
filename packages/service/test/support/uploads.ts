import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { uploadSchema, type Upload } from 'clip-kit/contract';
import * as tus from 'tus-js-client';
import type { Answer, CallOptions, World } from 'clip-testkit/world';

/** Makes an upload. */
export async function makeUpload(
  world: World,
  body: { name: string; size: number; [more: string]: unknown },
  options: CallOptions = {},
): Promise<Upload> {
  const { status, body: made } = await world.post('/uploads', body, options);
  assert.equal(status, 201, JSON.stringify(made));
  return uploadSchema.parse(made);
}

/** Sends a file as a page does, from where the service says. */
export function sendFile(
  url: string,
  bytes: Buffer,
  options: Partial<tus.UploadOptions> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    new tus.Upload(bytes, {
      uploadUrl: url,
      uploadSize: bytes.length,
      retryDelays: [0, 10, 10, 10, 10],
      ...options,
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
}

/** One request of tus. */
export async function tusCall(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      'Tus-Resumable': '1.0.0',
      ...(body && { 'Content-Type': 'application/offset+octet-stream' }),
      ...headers,
    },
    ...(body && { body }),
  });
  const text = await response.text();
  const json = text && response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: json ? JSON.parse(text) : text,
  };
}

/** Adds bytes at an offset. */
export const patch = (url: string, offset: number, bytes: Uint8Array): Promise<Answer> =>
  tusCall('PATCH', url, { 'Upload-Offset': String(offset) }, new Uint8Array(bytes));

/** A request without a length. */
export const patchStream = (
  url: string,
  body: ReadableStream<Uint8Array>,
  { offset = 0, signal }: { offset?: number; signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(url, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body,
    duplex: 'half',
    ...(signal && { signal }),
  } as RequestInit);

/** A request that sends some bytes and then nothing, without an end. */
export function hangingPatch(
  url: string,
  offset: number,
  bytes: Uint8Array,
): { end: () => Promise<unknown> } {
  const hanging = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
  });
  const answer = patchStream(url, body, { offset, signal: hanging.signal }).catch(() => {});
  return {
    end: () => {
      hanging.abort();
      return answer;
    },
  };
}

/** The offset that the service tells. */
export async function offsetOf(url: string): Promise<number> {
  const { status, headers } = await tusCall('HEAD', url);
  assert.equal(status, 200);
  return Number(headers.get('upload-offset'));
}

/**
 * A proxy of a server that cuts each connection after a number of bytes of its client.
 * `bytesPerSecond`: how fast the line of a client is.
 */
export async function cuttingProxy(url: string, bytes: number, bytesPerSecond = Infinity) {
  const { port } = new URL(url);
  let cuts = 0;
  const arrived: number[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    const own = arrived.push(0) - 1;
    let left = bytes;
    let [holds, freeMs] = [0, 0];
    const hold = (): void => {
      holds += 1;
      client.pause();
    };
    const goOn = (): void => {
      holds -= 1;
      if (holds === 0) client.resume();
    };
    client.on('data', (piece: Buffer) => {
      arrived[own]! += piece.length;
      if (!upstream.write(piece.subarray(0, left))) {
        hold();
        upstream.once('drain', goOn);
      }
      const now = performance.now();
      freeMs = Math.max(now, freeMs) + (piece.length / bytesPerSecond) * 1000;
      if (freeMs > now) {
        hold();
        setTimeout(goOn, freeMs - now);
      }
      left -= piece.length;
      if (left > 0) return;
      cuts += 1;
      client.destroy();
      upstream.destroy();
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((one) => one.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    cuts: () => cuts,
    /** Bytes that have come over each connection. */
    bytes: (): readonly number[] => arrived,
    close: () => void server.close(),
  };
}
