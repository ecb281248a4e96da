/**
 * Whether this runtime's `fetch` sends a request a second time by itself when a kept connection breaks, though the
 * service may have carried out the first: Deno's does, a POST too. It does not where the body can be read only once.
 */
const repeatsByItself = 'Deno' in globalThis;

/** The body of a request that must not be sent twice, for `fetch`. Where it has to be a stream, its length is not said. */
export const sentOnce = (text: string): RequestInit => {
  if (!repeatsByItself) return { body: text };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  // `duplex` is not yet in every declaration of `RequestInit`.
  return { body, duplex: 'half' } as RequestInit;
};
