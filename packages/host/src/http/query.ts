import * as z from 'zod/mini';
import { idSchema } from 'clip-kit/contract';
import { HostProblem, parsedOrRefused } from './host-problem.ts';

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
  return parsedOrRefused(schema, values);
}

export const clipQuerySchema = z.strictObject({
  project_id: idSchema,
  folder_id: z.optional(idSchema),
});

export const folderQuerySchema = z.strictObject({ folder_id: idSchema });

export const optionalFolderQuerySchema = z.strictObject({ folder_id: z.optional(idSchema) });

export const emptyQuerySchema = z.strictObject({});
