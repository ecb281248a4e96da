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

/** A long list, sent as its parts are read. */
export function jsonStream(
  parts: AsyncGenerator<readonly unknown[]>,
  headers: Readonly<Record<string, string>>,
): Response {
  const encoder = new TextEncoder();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      const items = done ? [] : value;
      const text = items
        .map((item) => `${sent++ === 0 ? '[' : ','}${JSON.stringify(item)}`)
        .join('');
      if (text) controller.enqueue(encoder.encode(text));
      if (!done) return;
      controller.enqueue(encoder.encode(sent === 0 ? '[]' : ']'));
      controller.close();
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return new Response(body, { headers: { ...common, ...headers } });
}
