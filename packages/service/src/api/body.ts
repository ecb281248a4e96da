import type { Preset, Presets } from 'clip-engine';
import { type FieldError, listFieldErrors } from 'clip-kit/contract';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';
import { describeUnknownPreset } from '../clips/rules.ts';

/** Largest body of a request, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** The greatest depth of nested objects and lists in a body: far deeper than in the contract. */
const maxBodyDepth = 64;

/** The body of a request. Throws 413 if it has more than `most` bytes. */
export async function readBytes(request: Request, most = maxBodyBytes): Promise<Uint8Array> {
  const tooLarge = (): ApiError =>
    new ApiError('body-too-large', `The body is larger than ${most} bytes.`, {
      // The rest is not read, so no other request may use the connection.
      headers: { Connection: 'close' },
    });
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws 415 for a body of another type. */
export function requireType(c: Context, types: RegExp, wanted: string): void {
  const type = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (!types.test(type))
    throw new ApiError('unsupported-media-type', `The body must be the bytes ${wanted}`);
}

/**
 * The path of the first text that no database column takes: it has a zero character, or half of a
 * surrogate pair. Throws where a value is nested deeper than {@link maxBodyDepth}.
 */
function findBrokenText(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed() ? path : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (path.length >= maxBodyDepth) {
    throw new ApiError(
      'invalid-request',
      `The body is nested too deeply. The limit is ${maxBodyDepth} levels of objects and lists.`,
    );
  }
  for (const [key, item] of Object.entries(value)) {
    const found = findBrokenText(key, [...path, '(name)']) ?? findBrokenText(item, [...path, key]);
    if (found) return found;
  }
  return null;
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('invalid-request', 'The body is not valid JSON in UTF-8.');
  }
}

/**
 * The JSON body of a request; no body at all counts as `{}`. Throws problems: 413 over {@link
 * maxBodyBytes}, 415 for another type than JSON, 400 for anything but a JSON object, or one nested
 * deeper than {@link maxBodyDepth}.
 */
export async function readJsonObject(c: Context): Promise<Record<string, unknown>> {
  const bytes = await readBytes(c.req.raw);
  if (bytes.length === 0) return {};
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:json|[a-z0-9.!#$&^_+-]+\+json)$/.test(type)) {
    throw new ApiError(
      'unsupported-media-type',
      'The body must be JSON: Content-Type: application/json.',
    );
  }
  const value = parseBody(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid-request', 'The body must be a JSON object.');
  }
  const broken = findBrokenText(value);
  if (broken) {
    const message = 'must be text without zero characters';
    throw makeMisfitError('The body is not valid.', [{ path: broken.join('.'), message }]);
  }
  return value as Record<string, unknown>;
}

/** Without the fields that are null: for an optional field, null counts as omitted. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(given.map(([key, item]) => [key, withoutNulls(item)]));
}

/** Fields that the schema does not know, null or not. */
const findUnknownFields = (schema: z.core.$ZodType, value: unknown) =>
  (z.safeParse(schema, value).error?.issues ?? []).filter(
    ({ code }) => code === 'unrecognized_keys',
  );

/** Throws a 400 that lists the fields of the body, or of a patch, that the schema does not know. */
export function refuseUnknownFields(schema: z.core.$ZodType, body: unknown): void {
  const issues = findUnknownFields(schema, body);
  if (issues.length > 0)
    throw makeMisfitError('The body is not valid.', listFieldErrors({ issues }));
}

/** Parses a body or query by a schema of the contract; a misfit is a 400 that lists every field. */
export function fit<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  what: 'body' | 'query' = 'body',
): T {
  const result = schema.safeParse(withoutNulls(value));
  const unknown = findUnknownFields(schema, value);
  if (result.success && unknown.length === 0) return result.data;
  const others = (result.error?.issues ?? []).filter(({ code }) => code !== 'unrecognized_keys');
  throw makeMisfitError(
    `The ${what} is not valid.`,
    listFieldErrors({ issues: [...unknown, ...others] }),
  );
}

/** The problem of fields that do not fit, each of which it names. */
export function makeMisfitError(text: string, errors: FieldError[], reason?: string): ApiError {
  const list = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return new ApiError(
    reason === undefined ? 'invalid-request' : 'unprocessable',
    `${text} ${list.join('; ')}.`,
    { errors, ...(reason !== undefined && { reason }) },
  );
}

/** The query as an object; a name given twice is a 400. */
export function readQuery(c: Context): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) {
      throw makeMisfitError('The query is not valid.', [
        { path: name, message: 'given more than once' },
      ]);
    }
    query[name] = values[0] ?? '';
  }
  return query;
}

/** The preset that a field of the body names. Throws a 422 that lists the known ids. */
export function requirePreset(presets: Presets, path: string, id: string): Preset {
  const preset = presets.get(id);
  if (preset) return preset;
  const errors = [{ path, message: describeUnknownPreset(presets, id) }];
  throw makeMisfitError('The body is not valid.', errors, 'preset-unknown');
}
