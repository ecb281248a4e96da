import { downloadFileName } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { ServiceContext } from '../context.ts';
import type { ShownExport } from './queries.ts';
import { findClip } from '../clips/queries.ts';
import { startExport, type ExportStartDependencies } from './start-export.ts';
import { fit, readQuery } from '../http/body.ts';
import { type AppEnv, requestSignal, methods } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { sendFile } from '../http/send-file.ts';

type Dependencies = ExportStartDependencies &
  Pick<ServiceContext, 'changes' | 'closing' | 'downloadWaitMs'>;

const querySchema = z.strictObject({ export_id: z.optional(z.string()) });

/**
 * `Content-Disposition` of a clip's download. `filename` follows 4.10, rule 1, and only has ASCII;
 * a name with other letters also gets `filename*` (RFC 6266), which keeps those of every language.
 * `extension`: without its dot.
 */
export function contentDisposition(clipName: string, extension = 'mp4'): string {
  const ascii = downloadFileName(clipName).replace(/mp4$/, extension);
  const plain = `attachment; filename="${ascii}"`;
  const full = clipName.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._-]/gu, '_');
  if (!/[^\x20-\x7e]/.test(full)) return plain;
  const encoded = encodeURIComponent(`${full}.${extension}`).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}

const timedOut = (): ApiError => new ApiError('service-timeout', 'Export timed out or failed.');

async function download(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { export_id: asked } = fit(querySchema, readQuery(c), 'query');
  if (c.req.raw.method === 'HEAD' && asked === undefined) {
    throw new ApiError(
      'method-not-allowed',
      'HEAD needs an export_id here: without one, the call may start a render.',
      { headers: { Allow: 'GET' } },
    );
  }
  const user = c.get('user');
  const clip = await findClip(service.db, user.id, c.req.param('clip_id') ?? '');
  if (!clip) throw new ApiError('clip-not-found', 'There is no such clip in this account.');
  const signal = requestSignal(c, service);
  const id = asked ?? (await startExport(service, user, clip, { reuse: true, signal })).id;
  const own = (found: ShownExport): boolean =>
    found.author_id === user.id && found.project_id === clip.id;
  const row = await service.changes.exports.settled(id, own, {
    ms: service.downloadWaitMs,
    signal,
  });
  if (!row) throw new ApiError('export-not-found', 'There is no such export of this clip.');
  if (row.status === 'processing' && service.closing.aborted) {
    throw new ApiError('service-unavailable', 'The service is stopping: try again in a moment.');
  }
  if (row.status !== 'ready' || row.file_key === null) throw timedOut();
  const answer = await sendFile(c, service.storage, row.file_key, {
    'Content-Type': 'video/mp4',
    'Content-Disposition': contentDisposition(row.name),
    'Cache-Control': 'private, no-store',
  });
  if (!answer) throw timedOut();
  return answer;
}

/** Section 4.10. */
export function downloadRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  methods(app, '/projects/:clip_id/download', { GET: (c) => download(service, c) });
}
