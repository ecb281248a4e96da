import type { Span } from 'clip-engine';
import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { findEdit, type EditedClip } from './queries.ts';
import { readFilm, showsSpan, startFilm } from './film-queries.ts';
import type { FilmRow } from '../db/schema.ts';
import { basisOf } from './edit-document.ts';
import { fileAddress, type PublicFiles } from '../storage/public-files.ts';
import { json } from '../http/json.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';

type Needs = Pick<ServiceContext, 'db' | 'files' | 'queue'>;

const states = { processing: 'preparing', ready: 'ready', error: 'failed' } as const;

/** What the page reads. Addresses may be relative to the service's root. */
function filmView(files: PublicFiles, wanted: Span, film: FilmRow | undefined) {
  // One that failed is shown as that until it is asked for again.
  const row = film && (film.status === 'error' || showsSpan(film, wanted)) ? film : undefined;
  const made = row?.status === 'ready' ? row.made : null;
  const { start, end } = row?.span ?? wanted;
  return {
    state: row ? states[row.status] : 'missing',
    progress: row?.share ?? 0,
    message: row?.failure_message ?? null,
    start,
    end,
    video: made && fileAddress(files, '', made.videoKey),
    strip: made && stripView(files, made),
    wave: made && { step_seconds: made.wave.stepSeconds, peaks: made.wave.peaks },
  };
}

function stripView(files: PublicFiles, { strip, stripKey }: NonNullable<FilmRow['made']>) {
  const { stepSeconds, ...places } = strip;
  return { url: fileAddress(files, '', stripKey), ...places, step_seconds: stepSeconds };
}

/** What the editor shows of a clip's source: a small video, a film strip, and the sound wave. */
export function filmRoutes(embed: Hono<AppEnv>, service: Needs): void {
  const found = async (c: Context<AppEnv>): Promise<EditedClip> => {
    const clip = await findEdit(service.db, c.get('user').id, c.req.param('id') ?? '');
    if (!clip) throw new ApiError('clip-not-found', 'There is no such clip.');
    return clip;
  };
  methods(embed, '/projects/:id/proxy', {
    GET: async (c) => {
      const clip = await found(c);
      const film = await readFilm(service.db, clip.id);
      return json(filmView(service.files, basisOf(clip).editable, film));
    },
    POST: async (c) => {
      const clip = await found(c);
      if (!clip.source && !clip.stretch) {
        throw new ApiError('unprocessable', 'The source of this clip is no longer kept.', {
          reason: 'source-gone',
        });
      }
      const { editable } = basisOf(clip);
      const film = await startFilm(service.db, service.queue, clip, editable);
      return json(filmView(service.files, editable, film), 202);
    },
  });
}
