import type { Hono } from 'hono';
import type { Links } from '../links/links.ts';
import type { Changes } from '../operations/changes.ts';
import { fileCacheControl, type PublicFiles } from '../storage/public-files.ts';
import { isStorageKey, type Storage } from '../storage/storage.ts';
import { addMethods, type AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { makePublicHeaders, sendFile } from './send-file.ts';

const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', jpg: 'image/jpeg' };

/** To the store. The address is valid for some hours at most, so it may not be cached. */
const redirect = (Location: string, type: string): Response =>
  new Response(null, {
    status: 307,
    headers: { ...makePublicHeaders(type, 'no-store'), Location },
  });

const makeMissingError = (): ApiError => new ApiError('not-found', 'There is no such file.');

/**
 * Rendered files: public to anyone with the address, which cannot be guessed, and those of private
 * clips to anyone with a link of the clip.
 */
export function addFileRoutes(
  app: Hono<AppEnv>,
  service: { changes: Changes; files: PublicFiles; links: Links; storage: Storage },
): void {
  addMethods(app, '/files/:kind{exports|previews|posters|proxies|pictures}/:id/:name', {
    GET: async (c) => {
      const { kind = '', id = '', name = '' } = c.req.param();
      const type = types[name.split('.')[1] ?? ''];
      const key = `${kind}/${id}/${name}`;
      if (!type || !isStorageKey(key)) throw makeMissingError();
      // The store may be unavailable, but a deleted file must not be served.
      const file = await service.changes.files.find(key);
      if (!file || service.links.isPrivate(file.privateClips)) throw makeMissingError();
      if (service.files.signed) {
        return redirect(await service.files.signed(key, c.req.raw.method), type);
      }
      const answer = await sendFile(
        c,
        service.storage,
        key,
        makePublicHeaders(type, fileCacheControl),
      );
      if (!answer) throw makeMissingError();
      return answer;
    },
  });
  // `clip` is a task for its picture.
  addMethods(app, '/player/:clip/files/:kind{exports|previews|proxies|pictures}/:id/:name', {
    GET: async (c) => {
      const { clip = '', kind = '', id = '', name = '' } = c.req.param();
      const link = await service.links.open(clip, c.req.query());
      const type = types[name.split('.')[1] ?? ''];
      const key = `${kind}/${id}/${name}`;
      if (!link || !type || !isStorageKey(key)) throw makeMissingError();
      const isOfClip =
        kind === 'exports' ? await isClipExport(service.changes, id, clip) : id === clip;
      if (!isOfClip || !(await service.changes.files.find(key))) throw makeMissingError();
      if (service.files.signed) {
        const seconds = Math.max(1, service.links.secondsLeft(link));
        return redirect(await service.files.signed(key, c.req.raw.method, seconds), type);
      }
      const headers = makePublicHeaders(type, service.links.cacheControl(link, fileCacheSeconds));
      const answer = await sendFile(c, service.storage, key, headers);
      if (!answer) throw makeMissingError();
      return answer;
    },
  });
}

/**
 * The time for which a browser may cache a file of a private clip, if its link does not end before.
 */
const fileCacheSeconds = 86_400;

/** Whether an export is one of the clip. */
async function isClipExport(changes: Changes, id: string, clip: string): Promise<boolean> {
  const wait = { ms: 0, signal: new AbortController().signal };
  const isOwn = (row: { project_id: string }): boolean => row.project_id === clip;
  return (await changes.exports.settled(id, isOwn, wait)) !== undefined;
}
