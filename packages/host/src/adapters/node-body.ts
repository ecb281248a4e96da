import { maxBodyBytes } from '../http/json-body.ts';

/** The part of Node's `IncomingMessage` or `Http2ServerRequest` that reading a body needs. */
export interface NodeReadable {
  /** Whether something has already read from it. */
  readonly readableDidRead: boolean;
  /** The body as parsed by an earlier body parser. */
  readonly body?: unknown;
  on(event: string, listener: (value?: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/**
 * Maximum number of bytes to read and discard after a body was refused. Without it, the client may
 * not be able to read the answer.
 */
const maxDiscardedBytes = 16 * maxBodyBytes;

/** The bytes of a request as they arrive. Data is read from the connection only on demand. */
function streamOf(request: NodeReadable): ReadableStream<Uint8Array> {
  let bytesLeft: number | null = null;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const end = (act: () => void) => {
          if (!ended && bytesLeft === null) act();
          ended = true;
        };
        request.on('data', (value) => {
          const chunk = value as Uint8Array;
          if (bytesLeft !== null) {
            bytesLeft -= chunk.byteLength;
            if (bytesLeft < 0) request.destroy();
            return;
          }
          controller.enqueue(chunk);
          request.pause();
        });
        request.on('end', () => end(() => controller.close()));
        request.on('error', (error) => end(() => controller.error(error)));
        request.on('close', () =>
          end(() =>
            controller.error(
              new Error('The client disconnected before it had sent the whole body.'),
            ),
          ),
        );
        request.pause();
      },
      pull() {
        request.resume();
      },
      cancel() {
        bytesLeft = maxDiscardedBytes;
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The body of a request as a stream. If a body parser already consumed it, the parsed value as
 * JSON. Throws if the body was consumed and no parsed value is left.
 */
export function bodyOf(request: NodeReadable): ReadableStream<Uint8Array> | string | Uint8Array {
  if (!request.readableDidRead) return streamOf(request);
  const { body } = request;
  if (body === undefined) {
    throw new Error(
      'clip-host/node: another middleware has read the body and did not put it at request.body. Mount the handler before that middleware.',
    );
  }
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}
