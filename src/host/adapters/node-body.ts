import { maxBodyBytes } from '../json-body.ts';

/** What is needed of Node's `IncomingMessage` or `Http2ServerRequest` to read its body. */
export interface NodeReadable {
  /** Whether somebody has read from it already. */
  readonly readableDidRead: boolean;
  /** What a body parser that stands before the handler made of the body. */
  readonly body?: unknown;
  on(event: string, listener: (value?: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** Of a body that was refused, as much is still taken off the connection, in bytes, so that the answer can be read. */
const discarded = 16 * maxBodyBytes;

/** The bytes of a request as they come; the connection is read no faster than they are asked for. */
const streamOf = (request: NodeReadable): ReadableStream<Uint8Array> => {
  let left: number | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const end = (act: () => void) => {
          if (!ended && left === null) act();
          ended = true;
        };
        request.on('data', (value) => {
          const chunk = value as Uint8Array;
          if (left !== null) {
            left -= chunk.byteLength;
            if (left < 0) request.destroy();
            return;
          }
          controller.enqueue(chunk);
          request.pause();
        });
        request.on('end', () => end(() => controller.close()));
        request.on('error', (error) => end(() => controller.error(error)));
        request.on('close', () =>
          end(() => controller.error(new Error('The client left before its body was whole.'))),
        );
        request.pause();
      },
      pull() {
        request.resume();
      },
      cancel() {
        left = discarded;
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
};

/**
 * The body of a request: its bytes, or, where a body parser has eaten them, what it made of them as JSON. Throws where
 * they are gone and nothing is left of them.
 */
export const bodyOf = (request: NodeReadable): ReadableStream<Uint8Array> | string | Uint8Array => {
  if (!request.readableDidRead) return streamOf(request);
  const { body } = request;
  if (body === undefined) {
    throw new Error(
      'clip-kit/host/node: the body was read before the handler and is not at request.body. Mount the handler before what reads it.',
    );
  }
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
};
