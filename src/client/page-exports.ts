import type { ExportIntent } from './export-intent.ts';
import { ExportSession } from './export-session.ts';
import { ExportWatcher } from './export-watcher.ts';
import { pageHost, type PageHostOptions } from './page-host.ts';

const watchers = new Map<unknown, ExportWatcher>();
const sessions = new Map<unknown, Map<string, ExportSession>>();

/** The session of an intent at an endpoint, shared by the whole page. */
export function pageExport(options: PageHostOptions, intent: ExportIntent): ExportSession {
  const client = pageHost(options);
  const name = JSON.stringify([
    client.endpoint,
    intent.project,
    intent.folder || null,
    intent.options,
    intent.exportId,
  ]);
  let watcher = watchers.get(client);
  if (!watcher) watchers.set(client, (watcher = new ExportWatcher(client)));
  const own = sessions.get(client) ?? new Map<string, ExportSession>();
  sessions.set(client, own);
  let session = own.get(name);
  if (!session) {
    session = new ExportSession(client, watcher, intent, name, () => own.delete(name));
    own.set(name, session);
  }
  return session;
}
