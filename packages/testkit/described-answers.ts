import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Described {
  readonly headers?: Readonly<Record<string, { required?: boolean; schema: object }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

/** What compares answers with an OpenAPI document. */
export class DescribedAnswers {
  readonly description: Description;
  readonly operations: readonly { method: string; path: string; one: Operation }[];
  // Annotations are not constraints; the contract's own test covers the format of dates.
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.description = JSON.parse(JSON.stringify(document)) as Description;
    this.operations = Object.entries(this.description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ method: method.toUpperCase(), path, one })),
    );
    this.#ajv.addSchema(this.description, 'document');
  }

  /** Fails unless the value matches; `$ref`s point into the document. */
  assertFits(schema: object, value: unknown, what: string): void {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
    const fits = this.#compiled.get(text) ?? this.#ajv.compile(JSON.parse(text) as object);
    this.#compiled.set(text, fits);
    assert.ok(
      fits(value),
      `${what}: ${JSON.stringify(value)}\n${this.#ajv.errorsText(fits.errors)}`,
    );
  }

  /**
   * Fails unless an answer is as described, and the body of its request if it was taken. `json`:
   * that of the answer.
   */
  check(
    method: string,
    target: string,
    answer: { readonly status: number; readonly headers: Headers; readonly json: unknown },
    body?: unknown,
  ): void {
    const { pathname, searchParams } = new URL(target, 'http://a');
    // A path without a parameter comes before one with it: `video-to-shorts` is not a task's id.
    const [operation] = this.operations
      .filter(
        ({ method: own, path }) =>
          own === method && new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
      )
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
    const { status, headers, json } = answer;
    if (status === 405) return;
    if (!operation) {
      return assert.ok(status >= 400 || /HEAD|OPTIONS/.test(method), `${method} ${pathname}`);
    }
    const { parameters, requestBody, responses } = operation.one;
    const what = `${method} ${pathname} ${status}`;
    const found = responses[status];
    const described =
      found && '$ref' in found
        ? this.description.components.responses[found.$ref.split('/').at(-1)!]
        : found;
    assert.ok(described, `${what} is not described: ${JSON.stringify(json)}`);
    for (const [name, header] of Object.entries(described.headers ?? {})) {
      const value = headers.get(name);
      if (header.required) assert.ok(value, `${what}: ${name} is missing`);
      if (value !== null) this.assertFits(header.schema, value, `${what}: ${name}`);
    }
    const type = headers.get('Content-Type')?.split(';')[0];
    if (type === undefined) return assert.equal(described.content, undefined, what);
    const media = described.content?.[type];
    assert.ok(media, `${what}: ${type} is not described`);
    if (media.schema) this.assertFits(media.schema, json, what);
    if (status >= 400) return;
    for (const { name, in: place, required, schema } of parameters) {
      if (place !== 'query') continue;
      const values = searchParams.getAll(name);
      if (required) assert.ok(values.length, `${what}: ${name} is required`);
      const isList = (schema as { type?: string }).type === 'array';
      if (values.length) this.assertFits(schema, isList ? values : values[0], `${what}: ${name}`);
    }
    const content = requestBody?.content['application/json']?.schema;
    const sent = typeof body === 'string' && body ? (JSON.parse(body) as unknown) : body;
    if (content && sent) this.assertFits(content, sent, `${what}: request`);
  }
}
