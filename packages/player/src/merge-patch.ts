type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A document with a JSON merge patch (RFC 7396): null removes a field. No object stays empty. */
export function mergePatch(target: unknown, patch: Json): Json {
  const merged: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    const next = isObject(value) ? mergePatch(merged[key], value) : value;
    const isEmpty = isObject(next) && Object.keys(next).length === 0;
    if (next === null || isEmpty) delete merged[key];
    else Object.defineProperty(merged, key, { value: next, ...plainField });
  }
  return merged;
}

/** A key of the patch may be `__proto__`. */
const plainField = { enumerable: true, configurable: true, writable: true };
