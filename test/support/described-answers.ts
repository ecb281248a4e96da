/** The answers of the host against its OpenAPI description. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { hostOpenApi } from '../../tools/host-openapi.ts';

interface Described {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: object }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
}

export const description = JSON.parse(JSON.stringify(hostOpenApi('1.2.3'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
};

export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({
    ...{ method: method.toUpperCase(), path, one },
    pattern: new RegExp(`^/clips${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
);

// Annotations are not constraints; the contract's own test covers the format of dates.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(description, 'document');
const compiled = new Map<string, ValidateFunction>();

/** Fails unless the value matches; `$ref`s point into the description. */
export function assertFits(schema: object, value: unknown, what: string): void {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
  const fits = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, fits);
  assert.ok(fits(value), `${what}: ${JSON.stringify(value)}\n${ajv.errorsText(fits.errors)}`);
}

/** Fails unless an answer, and the request if it was taken, are as described. */
export async function assertDescribed(
  method: string,
  { pathname, searchParams }: URL,
  body: unknown,
  response: Response,
): Promise<void> {
  // A path without a parameter comes before one with it: `video-to-shorts` is not a task's id.
  const [operation] = operations
    .filter((one) => one.method === method && one.pattern.test(pathname))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const { status, headers } = response;
  const isElsewhere =
    !pathname.startsWith('/clips/') ||
    (status === 404 && (await response.clone().text()).includes('endpoint-not-found'));
  if (isElsewhere || method === 'OPTIONS') return;
  if (!operation) return assert.ok(status >= 400, `${method} ${pathname} is not described`);
  const { parameters, requestBody, responses } = operation.one;
  const what = `${method} ${pathname} ${status}`;
  const answer = responses[status];
  const described =
    answer && '$ref' in answer
      ? description.components.responses[answer.$ref.split('/').at(-1)!]
      : answer;
  assert.ok(described, `${what} is not described`);
  for (const [name, header] of Object.entries(described.headers ?? {})) {
    const value = headers.get(name);
    if (header.required) assert.ok(value, `${what}: ${name} is missing`);
    if (value !== null) assertFits(header.schema, value, `${what}: ${name}`);
  }
  const type = headers.get('Content-Type');
  if (type === null) return assert.equal(described.content, undefined, what);
  const media = described.content?.[type];
  assert.ok(media, `${what}: ${type} is not described`);
  if (media.schema) assertFits(media.schema, await response.clone().json(), what);
  if (status >= 400) return;
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== 'query') continue;
    const values = searchParams.getAll(name);
    if (required) assert.ok(values.length, `${what}: ${name} is required`);
    const isList = (schema as { type?: string }).type === 'array';
    if (values.length) assertFits(schema, isList ? values : values[0], `${what}: ${name}`);
  }
  const content = requestBody?.content['application/json']?.schema;
  const sent = typeof body === 'string' ? (JSON.parse(body || '{}') as unknown) : (body ?? {});
  if (content) assertFits(content, sent, `${what}: request`);
}
