import type { FieldError } from '../contract/problem.ts';

/** Gives the value as it is to be used, or tells what does not fit by adding to `errors`. Undefined: the field is left out. */
export type Reader = (value: unknown, path: string, errors: FieldError[]) => unknown;

/** A value of a type of JavaScript, with a rule of its own: null, or what is wrong. */
export const plain =
  (type: string, fault: (value: never) => string | null = () => null): Reader =>
  (value, path, errors) => {
    const message = typeof value === type ? fault(value as never) : `expected ${type}`;
    if (message) errors.push({ path, message });
    return value;
  };

/** A field that may be left out, and is then not there; or, with a preset, has that. */
export const optional =
  (reader: Reader, preset?: unknown): Reader =>
  (value, ...rest) =>
    value === undefined ? preset : reader(value, ...rest);

export const nullable =
  (reader: Reader): Reader =>
  (value, ...rest) =>
    value === null ? null : reader(value, ...rest);

/** A field that an answer may leave out or set to null; always there afterwards. */
export const orNull = (reader: Reader): Reader => optional(nullable(reader), null);

/** An object with these fields; others are left away. */
export const object =
  (fields: Readonly<Record<string, Reader>>): Reader =>
  (value, path, errors) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      errors.push({ path, message: 'expected object' });
      return value;
    }
    const read: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries(fields)) {
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
