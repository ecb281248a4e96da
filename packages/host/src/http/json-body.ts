import { idSchema } from 'clip-kit/contract';
import * as z from 'zod/mini';
import { HostProblem, parseOrRefuse } from './host-problem.ts';

/** Maximum size of a request body. */
export const maxBodyBytes = 64 * 1024;

const makeTooLargeProblem = (maxBytes: number) =>
  new HostProblem('body-too-large', { detail: `The body may have at most ${maxBytes} bytes.` });

const makeNotJsonProblem = () =>
  new HostProblem('invalid-request', { detail: 'The body is not JSON.' });

/** Reads a request's body. Throws 413 if it is too large, and 400 if it is not UTF-8. */
export async function readText(request: Request, maxBytes = maxBodyBytes): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes)
    throw makeTooLargeProblem(maxBytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw makeTooLargeProblem(maxBytes);
    parts.push(part);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const texts = parts.map((part) => decoder.decode(part, { stream: true }));
    return texts.join('') + decoder.decode();
  } catch {
    throw makeNotJsonProblem();
  }
}

/** Throws 400 if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw makeNotJsonProblem();
  }
}

/**
 * Reads the JSON of a request's body; an empty body is `{}`. Only `application/json` is accepted,
 * because a cross-site form cannot send it.
 */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('Content-Type');
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new HostProblem('unsupported-media-type', {
      detail: 'Send the body as application/json.',
    });
  }
  const text = await readText(request);
  return text === '' ? {} : parseJson(text);
}

/** The query's single values by name. Repeated and unknown names are refused. */
export function readQuery<T extends z.core.$ZodType>(
  url: URL,
  schema: T & { safeParse(value: unknown): z.core.util.SafeParseResult<z.output<T>> },
): z.output<T> {
  // No prototype, so that `__proto__` is a name like any other.
  const values = Object.create(null) as Record<string, string>;
  for (const [name, value] of url.searchParams) {
    if (Object.hasOwn(values, name)) {
      throw new HostProblem('invalid-request', {
        errors: [{ path: name, message: 'must be given once' }],
      });
    }
    values[name] = value;
  }
  return parseOrRefuse(schema, values);
}

export const clipQuerySchema = z.strictObject({
  project_id: idSchema,
  folder_id: z.optional(idSchema),
});

export const folderQuerySchema = z.strictObject({ folder_id: idSchema });

export const optionalFolderQuerySchema = z.strictObject({ folder_id: z.optional(idSchema) });

export const emptyQuerySchema = z.strictObject({});
