const common = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** An answer for its client only. Plain headers cost a third of what a `Headers` object does. */
export const json = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response => new Response(JSON.stringify(body), { status, headers: { ...common, ...headers } });

/** The same for a body that is JSON already. */
export const encoded = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...common, ...headers } });

/** A long list, sent as its parts are read: each is the JSON of a list with something in it. */
export function jsonStream(
  parts: AsyncGenerator<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Response {
  const [open, comma, close] = ['[', ',', ']'].map((text) => Buffer.from(text));
  let before = open!;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      controller.enqueue(done ? close! : Buffer.concat([before, value.subarray(1, -1)]));
      before = comma!;
      if (done) controller.close();
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, { headers: { ...common, ...headers } });
}
