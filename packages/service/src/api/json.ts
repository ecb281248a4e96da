import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Place } from '../tasks/queries.ts';
import type { AppEnv } from './methods.ts';

const common = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** An answer for its client only. Plain headers cost a third of what a `Headers` object does. */
export const answerJson = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response => new Response(JSON.stringify(body), { status, headers: { ...common, ...headers } });

/** The same for a body that is JSON already. */
export const answerEncoded = (
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...common, ...headers } });

/** A long list, sent as its parts are read: each is the JSON of a list with something in it. */
export function streamJson(
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

/** The number of callers that continue in the same tick of the event loop. */
const atOnce = 10;

/** Releases many waiters a few at a time, so that other work of the process comes between. */
export class Pacer {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#take());
    });
  }

  #take(): void {
    for (const go of this.#waiting.splice(0, atOnce)) go();
    if (this.#waiting.length > 0) setImmediate(() => this.#take());
  }
}

/** The `cursor` of a query: a place in a list. */
export const cursorSchema = z.pipe(
  z
    .string()
    .check(
      z.regex(/^\d{1,17}\.[\w-]{1,64}$/, 'must be a cursor from the Link header of this list'),
    ),
  z.transform((cursor): Place => {
    const [createdMicroseconds = '', id = ''] = cursor.split('.');
    return { createdMicroseconds, id };
  }),
);

/**
 * Returns the `Link` (RFC 8288) to the page after a place, also if the row at the place was
 * deleted.
 */
export function nextPage(
  service: { publicUrl: () => string },
  c: Context<AppEnv>,
  list: 'exports' | 'tasks',
  { createdMicroseconds, id }: Place,
): string {
  const query = new URLSearchParams({
    ...c.req.query(),
    cursor: `${createdMicroseconds}.${id}`,
  });
  return `<${service.publicUrl()}/v2/${list}?${query}>; rel="next"`;
}
