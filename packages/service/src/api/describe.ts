import type { Handler } from 'hono';
import type * as z from 'zod/mini';
import type { Code } from '../api-error.ts';
import type { AppEnv } from './methods.ts';

export type Schema = z.core.$ZodType;

/** JSON by its schema, anything else by its media types. */
export type Content = Schema | readonly (Schema | string)[];

/** The input and the answers of one method of a path. */
export interface Description<OwnCode extends string = Code> {
  /** `operationId` of OpenAPI. */
  readonly id?: string;
  readonly summary: string;
  readonly details?: string;
  /** The schema by which the route reads its query. */
  readonly query?: Schema | undefined;
  /** The schema by which the route reads its body, or the media types that it takes. */
  readonly body?: Content;
  /** Names of headers that the call reads. */
  readonly headers?: readonly string[];
  /** By status: a text, the content, and names of headers. */
  readonly answers: Readonly<
    Record<
      number,
      readonly [text: string, content?: Content | undefined, headers?: readonly string[]]
    >
  >;
  /** Codes of its problems, beside those that all calls have. */
  readonly errors: readonly OwnCode[];
}

type More = Partial<Description>;

/** Adds its description to a handler. */
export const describe = (description: Description, handler: Handler<AppEnv>): Handler<AppEnv> =>
  Object.assign<Handler<AppEnv>, object>((c, next) => handler(c, next), { description });

/** The description of a call that answers 200. */
export const describeAnswer = (
  summary: string,
  content: Content,
  errors: readonly Code[] = [],
  more: More = {},
): Description => ({
  summary,
  answers: { 200: ['The result of the call', content] },
  errors,
  ...more,
});

/** The description of a call that sends a file of one of these types. */
export const describeFile = (
  summary: string,
  types: readonly string[],
  errors: readonly Code[],
  more: More = {},
): Description => ({
  summary,
  answers: {
    200: ['The file', types],
    206: ['The requested range', types],
    304: ['Not changed since `If-None-Match`', types],
    416: ['The file does not have this range', types],
  },
  errors,
  ...more,
});

/** The description of a call that makes something, once for each key. */
export const describeMaking = (
  summary: string,
  body: Content,
  content: Content,
  errors: readonly Code[] = [],
  more: More = {},
): Description => ({
  summary,
  headers: ['Idempotency-Key'],
  body,
  answers: { 201: ['Created', content] },
  errors: ['attempt-mismatch', ...errors],
  ...more,
});

/** The description of a call that deletes something. */
export const describeDeletion = (summary: string, ...errors: Code[]): Description => ({
  summary,
  answers: { 204: ['Deleted'] },
  errors,
});

/** The calls among routes, with what stands beside them. */
export const listDescribedCalls = <Route extends { readonly handler: object }>(
  routes: readonly Route[],
): (Route & { readonly description: Description })[] =>
  routes.flatMap((route) =>
    'description' in route.handler
      ? [{ ...route, description: route.handler.description as Description }]
      : [],
  );
