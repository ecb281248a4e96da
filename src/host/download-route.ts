import { answerHeaders } from './answer-headers.ts';
import { HostProblem } from './host-problem.ts';
import { clipQuerySchema, readQuery } from './query.ts';
import type { Answer } from './route-context.ts';
import { upstreamProblem } from './upstream-problem.ts';

const isHttpUrl = (text: string | null): text is string =>
  text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Whether it is a word of the service, and no video. */
const isText = (type: string | null): boolean =>
  /^\s*(?:text\/|application\/(?:[\w.+-]+\+)?json\b)/i.test(type ?? '');

/**
 * `GET /exports/{export_id}/download`: redirects to the public URL of a ready export; otherwise
 * uses the service's own download (4.10).
 */
export const downloadExport: Answer = async (context) => {
  const {
    request,
    url,
    ids: [id = ''],
    hostUser,
    users,
    service,
    variant,
  } = context;
  const clip = readQuery(url, clipQuerySchema);
  const { signal } = request;
  await context.allow('download', clip.project_id, clip.folder_id);
  context.audit.note({ exportId: id });
  try {
    return await users.with(hostUser, async (onBehalfOf) => {
      const found = await variant.getExport(
        { projectId: clip.project_id, folderId: clip.folder_id ?? null },
        id,
        { onBehalfOf, signal },
      );
      if (context.download === 'redirect' && found.status === 'ready' && isHttpUrl(found.src_url)) {
        return new Response(null, {
          status: 302,
          headers: { ...answerHeaders, Location: found.src_url },
        });
      }
      const file = await service.download(clip.project_id, id, { onBehalfOf, signal });
      if (isText(file.headers.get('content-type'))) {
        await file.body?.cancel();
        throw new HostProblem('service-error', {
          cause: new Error('The service answered the download with text.'),
        });
      }
      const headers = new Headers({ ...answerHeaders, 'Content-Type': 'video/mp4' });
      for (const name of ['Content-Disposition', 'Content-Length']) {
        const value = file.headers.get(name);
        if (value) headers.set(name, value);
      }
      return new Response(file.body, { headers });
    });
  } catch (cause) {
    throw upstreamProblem(cause, 'export');
  }
};
