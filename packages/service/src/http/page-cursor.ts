import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import type { Place } from '../tasks/shown-queries.ts';
import type { AppEnv } from './methods.ts';

/** The `cursor` of a query: a place in a list. */
export const cursorSchema = z.pipe(
  z.string().check(z.regex(/^\d{1,17}\.[\w-]{1,64}$/, 'is not one of a page of this list')),
  z.transform((cursor): Place => {
    const [createdMicroseconds = '', id = ''] = cursor.split('.');
    return { createdMicroseconds, id };
  }),
);

/** The `Link` (RFC 8288) to the page after a place, also if what was there has been deleted. */
export function nextPage(
  service: Pick<ServiceContext, 'publicUrl'>,
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
