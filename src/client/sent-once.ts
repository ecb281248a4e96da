/**
 * Deno's `fetch` sends a request again if a kept connection breaks, even a POST that may have been
 * carried out. It does not if the body can be read only once.
 */
const repeatsByItself = 'Deno' in globalThis;

/** The body of a request that must not be sent twice. As a stream it has no `Content-Length`. */
export function sentOnce(text: string): RequestInit {
  if (!repeatsByItself) return { body: text };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  // `duplex` is not yet in every declaration of `RequestInit`.
  return { body, duplex: 'half' } as RequestInit;
}
