/**
 * The part of Node's `ServerResponse`, or of the compatible response of `node:http2`, that is used.
 */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  appendHeader(name: string, value: string | string[]): unknown;
  setHeader(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  end(chunk: Uint8Array): unknown;
  destroy(error?: Error): unknown;
  once(event: string, listener: (value?: unknown) => void): unknown;
  off(event: string, listener: (value?: unknown) => void): unknown;
}

/** Resolves when the response accepts more data or is closed. */
const writable = (response: NodeResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.once('drain', go);
    response.once('close', go);
  });

function writeHead(response: NodeResponse, { status, headers }: Response): void {
  response.statusCode = status;
  for (const [name, value] of headers) {
    // Keep the values that an earlier middleware has set.
    if (name === 'vary') response.appendHeader(name, value);
    else if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length) response.appendHeader('set-cookie', cookies);
}

/**
 * Writes an answer at the pace of the client. Resolves when everything is written or the client has
 * disconnected; rejects if the answer's body fails.
 */
export async function writeResponse(
  answer: Response,
  response: NodeResponse,
  head: boolean,
): Promise<void> {
  if (response.destroyed) return void (await answer.body?.cancel());
  writeHead(response, answer);
  if (head || !answer.body) {
    await answer.body?.cancel();
    response.end();
    return;
  }
  // Sent in one piece, so that Node sets its length.
  if (/^application\/(?:problem\+)?json/.test(answer.headers.get('Content-Type') ?? '')) {
    response.end(new Uint8Array(await answer.arrayBuffer()));
    return;
  }
  const reader = answer.body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  response.once('close', leave);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!response.write(value)) await writable(response);
  }
  response.off('close', leave);
  if (!response.destroyed) response.end();
}
