/** What both API descriptions are made of: OpenAPI 3.1, with the schemas of the contract. */
import * as z from 'zod/mini';
import { dateTimeSchema } from '../../src/contract/index.ts';

export type Json = Record<string, unknown>;

export function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  // The dialect would only repeat OpenAPI 3.1's.
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === dateTimeSchema && io === 'output') jsonSchema.format = 'date-time';
      // Unknown fields are refused in a request, and ignored in an answer.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return rest;
}

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: Json): Json => ({ 'application/json': { schema } });
export const one = (name: string): Json => json(reference(name));
export const listOf = (name: string): Json => json({ type: 'array', items: reference(name) });

export const inQuery = (name: string, more: Json = {}): Json => ({
  name,
  in: 'query',
  schema: { type: 'string' },
  ...more,
});

export const inHeader = (name: string, description: string, more: Json = {}): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  ...more,
});

/** An operation. `failures` are the statuses, or the codes, of its problems. */
export interface Call<Failure> {
  readonly id?: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Json[];
  readonly body?: Json;
  /** If it is not JSON. */
  readonly bodyTypes?: readonly string[];
  /** Default: true. */
  readonly bodyRequired?: boolean;
  readonly success: Json;
  readonly failures: readonly Failure[];
}

type Method = 'delete' | 'get' | 'head' | 'patch' | 'post' | 'put';
export type Calls<Failure> = Readonly<
  Record<string, Partial<Readonly<Record<Method, Call<Failure>>>>>
>;

interface Shared<Failure> {
  /** Schema of each `{parameter}` in a path. */
  readonly idSchema: Json;
  /** Parameters that all operations of a path have. */
  readonly parametersOf: (path: string) => readonly Json[];
  /** Responses by status. */
  readonly problemsOf: (call: Call<Failure>) => Json;
}

export function paths<Failure>(calls: Calls<Failure>, shared: Shared<Failure>): Json {
  const operation = (path: string, call: Call<Failure>): Json => ({
    operationId: call.id,
    summary: call.summary,
    description: call.description,
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: shared.idSchema,
      })),
      ...(call.parameters ?? []),
      ...shared.parametersOf(path),
    ],
    requestBody: call.body && {
      required: call.bodyRequired ?? true,
      content: call.bodyTypes
        ? Object.fromEntries(call.bodyTypes.map((type) => [type, { schema: call.body }]))
        : json(call.body),
    },
    responses: { ...shared.problemsOf(call), ...call.success },
  });
  return Object.fromEntries(
    Object.entries(calls).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, call]) => [method, operation(path, call)]),
      ),
    ]),
  );
}
