/** The `cursor` in the address of a list's next page (`Link`, `rel="next"`); null without one. */
export function nextCursor(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return address ? new URL(address, 'http://localhost').searchParams.get('cursor') : null;
}
