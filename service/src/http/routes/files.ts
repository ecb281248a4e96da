import type { Hono } from 'hono';
import type { ServiceContext } from '../../context.ts';
import type { AppEnv } from '../app-env.ts';
import { methods } from '../methods.ts';
import { ApiError } from '../problem.ts';
import { sendFile } from '../send-file.ts';

const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', jpg: 'image/jpeg' };

/** Rendered files: public to whoever has the address, which nobody can guess. */
export const fileRoutes = (app: Hono<AppEnv>, service: ServiceContext): void => {
  methods(app, '/files/:kind{exports|previews}/:id/:name', {
    GET: async (c) => {
      const { kind = '', id = '', name = '' } = c.req.param();
      const type = types[name.split('.')[1] ?? ''];
      const answer =
        type &&
        (await sendFile(c, service.storage, `${kind}/${id}/${name}`, {
          'Content-Type': type,
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Access-Control-Allow-Origin': '*',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        }));
      if (!answer) throw new ApiError('not-found', 'There is no such file.');
      return answer;
    },
  });
};
