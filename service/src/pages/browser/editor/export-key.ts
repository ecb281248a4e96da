/**
 * The `Idempotency-Key` of a paid start: the same for a revision, also after a reload, so that it
 * is paid once.
 */
export function exportKey(
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
  project: string,
  revision: number,
): string {
  const name = `clip-export:${project}:${revision}`;
  try {
    const kept = storage?.getItem(name);
    if (kept) return kept;
    const fresh = crypto.randomUUID();
    storage?.setItem(name, fresh);
    return fresh;
  } catch {
    return `${name}:${crypto.randomUUID()}`;
  }
}
