import { accountPrefix, getAccountsAtLoad } from './page-state.ts';

/** The account that the host of an endpoint has named. */
const shown = new Map<string, string>();
const listeners = new Map<string, Set<(before: string) => void>>();

/**
 * The tag of the account that this page shows (`Clip-Account`); empty if the host sends none. Until
 * the host has named it, the tag of the last page.
 */
export const getAccount = (endpoint: string): string =>
  shown.get(endpoint) ?? getAccountsAtLoad().get(accountPrefix + endpoint) ?? '';

/**
 * Whether the host has named the account. Before that, stored entries may belong to another
 * account.
 */
export const isAccountNamed = (endpoint: string): boolean => shown.has(endpoint);

/** Notes the tag in an answer of the host, or that a host sends none. */
export function noteAccount(endpoint: string, tag: string | null): void {
  const before = getAccount(endpoint);
  // A host that sends tags has none for a signed-out request, and a proxy has none at all.
  if (!tag && before) return;
  if (shown.has(endpoint) && (tag ?? '') === before) return;
  shown.set(endpoint, tag ?? '');
  try {
    if (tag) localStorage.setItem(accountPrefix + endpoint, tag);
  } catch {
    // Storage is blocked or full: the tag is known while the page lives.
  }
  for (const listener of [...(listeners.get(endpoint) ?? [])]) listener(before);
}

/**
 * Calls `listener` when the host names the account for the first time in this page load, and when
 * it names another one. Returns the unsubscribe function. `before`: the previous tag.
 */
export function onAccount(endpoint: string, listener: (before: string) => void): () => void {
  const all = listeners.get(endpoint) ?? new Set();
  listeners.set(endpoint, all.add(listener));
  return () => void all.delete(listener);
}

/** Calls `listener` when another account is signed in than the one that the page shows. */
export const onOtherAccount = (endpoint: string, listener: () => void, signal: AbortSignal): void =>
  signal.addEventListener(
    'abort',
    onAccount(endpoint, (before) => {
      if (before && before !== getAccount(endpoint)) listener();
    }),
  );
