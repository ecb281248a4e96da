import type { ServiceFileOptions } from 'clip-kit/client';
import { downloadFileName, downloadRequestSchema } from 'clip-kit/contract';
import type * as z from 'zod/mini';
import { answerHeaders, HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { readJson, readQuery } from '../http/json-body.ts';
import { type Answer, makeJsonResponse, type RouteContext } from './route-context.ts';

/**
 * Characters that end a header or a path, that Windows refuses, or that change the direction of
 * text.
 */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"*/:<>?\\|]/gu;

/** File systems take 255 bytes; most letters have at most three. */
const maxNameLength = 80;

/** `Content-Disposition` with which every browser saves an MP4 file under this name. */
export function makeContentDisposition(name: string): string {
  const cleaned = name.replace(/\.mp4$/i, '').replace(unsafe, '_');
  const stem = [...cleaned]
    .slice(0, maxNameLength)
    .join('')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  const encoded = encodeURIComponent(`${stem || 'clip'}.mp4`).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${downloadFileName(stem || 'clip')}"; filename*=UTF-8''${encoded}`;
}

/**
 * Returns the address as `Location` and `fetch` need it, with only ASCII; null if it is not http or
 * https.
 */
function normalizeHttpUrl(text: string | null): string | null {
  const url = text !== null && URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Whether it is a word of the service, and no video. */
const isText = (type: string | null): boolean =>
  /^\s*(?:text\/|application\/(?:[\w.+-]+\+)?json\b)/i.test(type ?? '');

const isEncoded = ({ headers }: Response): boolean =>
  !/^(?:identity)?$/i.test(headers.get('Content-Encoding') ?? '');

/** Whether it is the file, a range of it, or the refusal of a range. */
function isFile(response: Response): boolean {
  if (response.status === 416) return true;
  const whole = response.status === 200;
  return (
    (whole || (response.status === 206 && !isEncoded(response))) &&
    !isText(response.headers.get('Content-Type'))
  );
}

/** The file at its public address, or null if it cannot be had there. */
async function fetchPublicFile(
  { request, service }: Pick<RouteContext, 'request' | 'service'>,
  url: string,
  call: ServiceFileOptions,
): Promise<Response | null> {
  try {
    const found = await service.file(request.method === 'HEAD' ? 'HEAD' : 'GET', url, call);
    if (isFile(found)) return found;
    await found.body?.cancel();
  } catch {
    request.signal.throwIfAborted();
  }
  return null;
}

/** Headers that a browser needs to show the progress of a download and to resume it. */
const fileHeaders = ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'];

async function passOn(file: Response, name: string, isHead: boolean): Promise<Response> {
  const { status } = file;
  const headers = new Headers(answerHeaders);
  if (status !== 416) {
    headers.set('Content-Type', 'video/mp4');
    headers.set('Content-Disposition', makeContentDisposition(name));
  }
  // Of an encoded file these are of bytes that the browser does not get.
  for (const header of isEncoded(file) ? [] : fileHeaders) {
    const value = file.headers.get(header);
    if (value !== null && !(status === 416 && header === 'Content-Length')) {
      headers.set(header, value);
    }
  }
  if (!isHead && status !== 416) return new Response(file.body, { status, headers });
  await file.body?.cancel();
  return new Response(null, { status, headers });
}

/** Names the file of a request as a grant does. */
const nameFile = ({ project_id, folder_id, name }: z.output<typeof downloadRequestSchema>) => ({
  projectId: project_id,
  folderId: folder_id ?? null,
  name: name || null,
});

/**
 * `POST /exports/{export_id}/download`: an address of the file for a browser, which sends no
 * session with a link. It is good for ten minutes, and for this file and user alone.
 */
export const grantDownload: Answer = async (context) => {
  const { request, hostUser, variant, grants } = context;
  const [exportId = ''] = context.ids;
  const file = nameFile(parseOrRefuse(downloadRequestSchema, await readJson(request)));
  if (!grants) {
    throw new HostProblem('not-supported', {
      detail: 'This host identifies users by a cookie. Use GET.',
    });
  }
  await context.allow('download', file.projectId, file.folderId);
  await context.callService('export', (onBehalfOf) =>
    variant.getExport(file, exportId, { onBehalfOf }),
  );
  const grant = await grants.sign({ hostUser, exportId, ...file });
  return makeJsonResponse({ url: context.ofDownload(exportId, grant) }, 201);
};

/**
 * `GET /exports/{export_id}/download`: the file as an attachment, from its public URL, otherwise by
 * the service's own download (4.10), which waits for an export that is not ready.
 */
export const downloadExport: Answer = async (context) => {
  const { request, url, service, variant } = context;
  const [id = ''] = context.ids;
  const asked = context.granted ?? nameFile(readQuery(url, downloadRequestSchema));
  const { projectId, folderId, name } = asked;
  const { signal } = request;
  await context.allow('download', projectId, folderId);
  context.audit.note({ exportId: id });
  return context.callService('export', async (onBehalfOf) => {
    const found = await variant.getExport(asked, id, { onBehalfOf, signal });
    if (found.status === 'error') {
      throw new HostProblem('service-timeout', { detail: 'The export failed. Start a new one.' });
    }
    const address = found.status === 'ready' ? normalizeHttpUrl(found.src_url) : null;
    const ranges = ['Range', 'If-Range'].flatMap((header) => {
      const value = request.headers.get(header);
      return value === null ? [] : [[header, value] as const];
    });
    const call = { headers: Object.fromEntries(ranges), signal };
    const file =
      (address && (await fetchPublicFile(context, address, call))) ||
      (await service.download(projectId, id, { ...call, onBehalfOf }));
    if (!isFile(file)) {
      await file.body?.cancel();
      throw new HostProblem('service-error', {
        cause: new Error('The service answered the download without a file.'),
      });
    }
    return passOn(file, name ?? found.name, request.method === 'HEAD');
  });
};
