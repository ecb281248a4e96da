/*
 * The part of the contract that pages run: free of zod, which they do not load.
 */

/** The states of a task or an export (specification, section 3). */
export const statuses = ['processing', 'ready', 'error'] as const;

export type Status = (typeof statuses)[number];

/** The legacy status words of section 3.3 and their current words. */
export const legacyStatuses: Readonly<Record<string, Status>> = {
  pending: 'processing',
  in_progress: 'processing',
  completed: 'ready',
  failed: 'error',
};

/** Replaces a legacy status word with the current one; returns any other value unchanged. */
export const presentStatus = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(legacyStatuses, value) ? legacyStatuses[value] : value;

/** The minimum time for which an attempt key is stored, in milliseconds: 24 hours. */
export const attemptLifetime = 24 * 60 * 60 * 1000;

/** Maximum length of the input video in seconds, by the type of the task (section 8). */
export const maxInputSeconds = {
  'video-to-shorts': 5 * 60 * 60,
  'video-to-video': 15 * 60,
} as const;

const isoDateTime =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[Zz]|([+-]\d\d):?(\d\d)?)?)?$/;

/**
 * Parses an ISO 8601 date and time to milliseconds since 1970. Anything else gives NaN, because
 * `Date.parse` alone accepts much more and reads it as local time. No offset means UTC, a space
 * may replace the `T`, and a date without a time is midnight.
 */
export function toUtc(text: string): number {
  const [found, date, time = '00:00', hours = '+00', minutes = '00'] = isoDateTime.exec(text) ?? [];
  return found === undefined ? NaN : Date.parse(`${date}T${time}${hours}:${minutes}`);
}

/** Returns the visible state of a task as one word; a change of it ends a long-poll request. */
export function getTaskState(task: {
  readonly status: string;
  readonly progress?:
    | { readonly stage: string; readonly share: number; readonly bytes?: number | undefined }
    | null
    | undefined;
}): string {
  const { stage, share, bytes } = task.progress ?? {};
  const state = [task.status, stage, share && Math.floor(share * 100)];
  // A download is a small share of the whole.
  if (bytes !== undefined) state.push(Math.floor(bytes / 1e6));
  return encodeURIComponent(state.join(' '));
}

/**
 * The state that the page knows, from a `Prefer` header such as `wait=25; after="…"`: any other is
 * answered at once. Null if the page does not say.
 */
export const readKnownState = (prefer: string | null): string | null =>
  /;\s*after="([^"]*)"/.exec(prefer ?? '')?.[1] ?? null;

/**
 * The file name of a downloaded clip (section 4.10). Every character other than letters (A to Z, a
 * to z), digits, `.`, `_` and `-` becomes `_`; `.mp4` is added.
 */
export const downloadFileName = (clipName: string): string =>
  `${clipName.replace(/[^A-Za-z0-9._-]/gu, '_')}.mp4`;

/** A hash of a text (FNV-1a, 64 bits) in base 36. `crypto.subtle` is missing on plain http. */
export function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(36);
}
