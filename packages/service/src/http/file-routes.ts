import type { Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { fileCacheControl } from '../storage/public-files.ts';
import { isStorageKey } from '../storage/storage.ts';
import { methods, type AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { publicFile, sendFile } from './send-file.ts';

const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', jpg: 'image/jpeg' };

/** To the store. The address is valid for some hours, so it may not be kept. */
const redirect = (Location: string, type: string): Response =>
  new Response(null, {
    status: 307,
    headers: { ...publicFile(type, 'no-store'), Location },
  });

const missing = (): ApiError => new ApiError('not-found', 'There is no such file.');

/** Rendered files: public to anyone with the address, which cannot be guessed. */
export function fileRoutes(
  app: Hono<AppEnv>,
  service: Pick<ServiceContext, 'changes' | 'files' | 'storage'>,
): void {
  methods(app, '/files/:kind{exports|previews|posters|proxies|pictures}/:id/:name', {
    GET: async (c) => {
      const { kind = '', id = '', name = '' } = c.req.param();
      const type = types[name.split('.')[1] ?? ''];
      const key = `${kind}/${id}/${name}`;
      // The store may be unavailable, but a deleted file must not be served.
      if (!type || !isStorageKey(key) || (await service.changes.files.isRemoved(key)))
        throw missing();
      if (service.files.signed) {
        return redirect(await service.files.signed(key, c.req.raw.method), type);
      }
      const answer = await sendFile(c, service.storage, key, publicFile(type, fileCacheControl));
      if (!answer) throw missing();
      return answer;
    },
  });
}
