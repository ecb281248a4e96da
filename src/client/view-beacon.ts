import type { ViewRecord } from '../contract/views.ts';

/*
 * Sends views to the site. Loaded for pages that set an address, and not for visitors who do not
 * want to be counted.
 */

/** A showing that has become a view. */
export interface View extends Omit<ViewRecord, 'begins' | 'marks'> {
  /** Where it is sent. */
  readonly url: string;
  /** All marks so far. */
  marks(): readonly number[];
}

interface Watched {
  readonly url: string;
  readonly record: ViewRecord;
}

/** A host takes no more at once. */
const maxRecords = 20;
/** More are not kept for a site that nothing can be sent to. */
const maxKept = 100;

/** The views whose clips are still shown, each with the marks that it has sent. */
const shown = new Map<View, { begins: boolean; sent: ReadonlySet<number> }>();
/** Unsent records of views that have ended. */
const ended: Watched[] = [];

/** Returns the record of what was watched since the last one; null for nothing. */
function takeRecord(view: View): Watched | null {
  const { begins, sent } = shown.get(view)!;
  const { url, marks: read, ...what } = view;
  const all = read();
  const marks = all.filter((mark) => !sent.has(mark));
  if (!begins && !marks.length) return null;
  shown.set(view, { begins: false, sent: new Set(all) });
  return { url, record: { ...what, begins, marks } };
}

function send(): void {
  const watched = [...ended.splice(0), ...[...shown.keys()].map(takeRecord)];
  const byUrl = new Map<string, ViewRecord[]>();
  for (const one of watched) {
    if (one) byUrl.set(one.url, [...(byUrl.get(one.url) ?? []), one.record]);
  }
  for (const [url, records] of byUrl) {
    for (let at = 0; at < records.length; at += maxRecords) {
      post(url, records.slice(at, at + maxRecords));
    }
  }
}

/** Sends records, or keeps them for the next time. */
function post(url: string, views: readonly ViewRecord[]): void {
  // As plain text, which needs no question to another origin before.
  const body = JSON.stringify({ views });
  // Some browsers have no beacons, and all refuse those that are too much at once.
  if (navigator.sendBeacon?.(url, body)) return;
  const options = { method: 'POST', body, keepalive: true } as const;
  fetch(url, { ...options, mode: 'no-cors', credentials: 'include' }).catch(() => {
    if (ended.length < maxKept) ended.push(...views.map((record) => ({ url, record })));
  });
}

/** Sends a view when the page is hidden, and the later parts each time again. */
export function sendView(view: View, signal: AbortSignal): void {
  shown.set(view, { begins: true, sent: new Set() });
  const end = (): void => {
    const watched = takeRecord(view);
    shown.delete(view);
    if (watched) ended.push(watched);
    if (ended.length >= maxRecords) send();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
}

// The last event of a page on a phone. WebKit leaves it out when another page is opened.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send();
});
addEventListener('pagehide', send);
