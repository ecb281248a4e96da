import { attemptLifetime } from '../contract/for-pages.ts';
import type { Export } from '../contract/export.ts';
import { getAccount } from './account.ts';
import { isStoredExport } from './paid-start-store.ts';
import { readers } from './host-answers.ts';
import type { ClipAddress, HostAnswer, HostClient } from './host-client.ts';

/** The exports of each folder, or of the user, as the host has listed them to this page. */
const lists = new WeakMap<HostClient, Map<string, Promise<HostAnswer<Export[]>>>>();

function listExports(client: HostClient, folder: string | null): Promise<HostAnswer<Export[]>> {
  const own = lists.get(client) ?? new Map<string, Promise<HostAnswer<Export[]>>>();
  lists.set(client, own);
  const key = JSON.stringify([getAccount(client.endpoint), folder]);
  let list = own.get(key);
  if (!list) {
    const query = folder ? { folder_id: folder } : {};
    own.set(key, (list = client.get<Export[]>('/exports', readers.exportList, { query })));
  }
  return list;
}

/**
 * Returns the newest export of a clip that was started elsewhere and is recent enough to show; null
 * if there is none. One list serves the whole page.
 */
export async function findExport(
  client: HostClient,
  { project, folder }: ClipAddress,
): Promise<Export | null> {
  const { value, skew } = await listExports(client, folder || null);
  const oldest = Date.now() + skew - attemptLifetime;
  const ofClip = value.filter(
    ({ id, project_id, status, created_at, finished_at }) =>
      project_id === project &&
      status !== 'error' &&
      (status === 'processing' || Date.parse(finished_at ?? created_at) > oldest) &&
      !isStoredExport(id),
  );
  const [newest = null] = ofClip.sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return newest;
}
