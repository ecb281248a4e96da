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

/** Whether two JSON values say the same. Fields that are undefined do not count. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => isSameJson(value, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    isSameJson(one[key], other[key]),
  );
}

/** The JSON merge patch (RFC 7396) that makes one object the other; empty if they are the same. */
export function patchBetween(from: object, to: object): Json {
  const [before, after] = [from as Json, to as Json];
  const patch: Json = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [before[key], after[key]];
    if (isSameJson(old, next)) continue;
    if (next === undefined) patch[key] = null;
    else patch[key] = isObject(old) && isObject(next) ? patchBetween(old, next) : next;
  }
  return patch;
}
