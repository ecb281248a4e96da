import type { FieldError } from '../contract/problem.ts';

/** Gives the value to use; adds to `errors` what does not fit. Undefined: the field is omitted. */
export type Reader = (value: unknown, path: string, errors: FieldError[]) => unknown;

/** A value of a JavaScript type; `fault` says what is wrong with it, or null. */
export const plain =
  (type: string, fault: (value: never) => string | null = () => null): Reader =>
  (value, path, errors) => {
    const message = typeof value === type ? fault(value as never) : `expected ${type}`;
    if (message) errors.push({ path, message });
    return value;
  };

/** A field that may be missing, and then has the preset or stays missing. */
export const optional =
  (reader: Reader, preset?: unknown): Reader =>
  (value, ...rest) =>
    value === undefined ? preset : reader(value, ...rest);

export const nullable =
  (reader: Reader): Reader =>
  (value, ...rest) =>
    value === null ? null : reader(value, ...rest);

/** A field that may be missing or null, and is null then. */
export const orNull = (reader: Reader): Reader => optional(nullable(reader), null);

/** An object of type `T`: a reader for every field, also for the optional ones. Drops others. */
export const object =
  <T extends object>(fields: Readonly<Record<keyof T, Reader>>): Reader =>
  (value, path, errors) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      errors.push({ path, message: 'expected object' });
      return value;
    }
    const read: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries<Reader>(fields)) {
      const field = reader(
        (value as Record<string, unknown>)[name],
        path ? `${path}.${name}` : name,
        errors,
      );
      if (field !== undefined) read[name] = field;
    }
    return read;
  };

export const list =
  (reader: Reader): Reader =>
  (value, path, errors) => {
    if (Array.isArray(value)) {
      return value.map((item, at) => reader(item, path ? `${path}.${at}` : String(at), errors));
    }
    errors.push({ path, message: 'expected array' });
    return value;
  };
