/** A trial: an element, and the attributes that differ from the page's own. */
export interface Trial {
  readonly tag: string;
  /** Null: the attribute is removed. */
  readonly changes: ReadonlyMap<string, string | null>;
}

/**
 * Where calls and tokens go. Not in the address: a link that somebody sends must not be able to
 * choose it.
 */
const connections = new Set([
  'endpoint',
  'app-url',
  'player-url',
  'credentials',
  'csrf-header',
  'csrf-token',
  'csrf-url',
  'token',
]);

/** Stands for an attribute that is removed. */
const removed = '-';

export function readTrial(
  query: URLSearchParams,
  tags: readonly string[],
  names: (tag: string) => readonly string[],
): Trial {
  const asked = query.get('element') ?? '';
  const tag = tags.includes(asked) ? asked : tags[0]!;
  const known = names(tag);
  const changes = new Map<string, string | null>();
  for (const [name, value] of query) {
    if (!known.includes(name) || connections.has(name)) continue;
    changes.set(name, value === removed ? null : value);
  }
  return { tag, changes };
}

export function writeTrial({ tag, changes }: Trial): URLSearchParams {
  const query = new URLSearchParams({ element: tag });
  for (const [name, value] of changes) {
    if (!connections.has(name)) query.set(name, value ?? removed);
  }
  return query;
}
