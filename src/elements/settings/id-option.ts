import { ClipError } from '../../client/clip-error.ts';
import { notInPath } from './settings.ts';

/**
 * An optional id. Throws for what is none, such as `[object Object]`, which frameworks write: a
 * request without it would not be what the page wants.
 */
export function idOption(value: unknown, attribute: string): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && value !== '[object Object]' && !notInPath.test(value)) {
    return value;
  }
  throw new ClipError(
    'invalid-option',
    `${attribute} cannot be read: it must be the text of an id.`,
  );
}
