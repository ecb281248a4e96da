import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { parseRange } from '../../../packages/service/src/http/send-file.ts';
import type { GalleryEntry } from '../../gallery/entries.ts';
import {
  exportOptions,
  requestOf,
  type EntryState,
  type Gallery,
  type MadeEntry,
} from './gallery.ts';
import type { GalleryFile, GalleryFiles } from './gallery-files.ts';

/** An entry as the page receives it. Times in seconds. */
export type EntryAnswer = Pick<GalleryEntry, 'id' | 'title' | 'says' | 'inStep'> & {
  state: EntryState;
  /** The call that makes it, as a client would send it. */
  request: { path: string; body: object; exports: object[] };
  source: { url: string; poster: string | null; duration: number | null };
  clips: { label: string; url: string; poster: string; duration: number }[];
  made: {
    name: string;
    score: number | null;
    explanation: string | null;
    took: number;
    processor: number | null;
  } | null;
};

export interface GalleryRouteParts {
  readonly gallery: Gallery;
  readonly files: GalleryFiles;
  readonly sourceUrl: (name: string) => string;
  readonly watermarkUrl: () => string;
}

/** A file, or the requested range of it, which players need to seek. Null if it does not exist. */
async function sendRange(
  { path, type }: GalleryFile,
  range: string | undefined,
): Promise<Response | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes' };
  const part = parseRange(range, found.size);
  if (part === 'unsatisfiable') {
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${found.size}` },
    });
  }
  const { start, end } = part === 'whole' ? { start: 0, end: found.size - 1 } : part;
  return new Response(Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream, {
    status: part === 'whole' ? 200 : 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      ...(part !== 'whole' && { 'Content-Range': `bytes ${start}-${end}/${found.size}` }),
    },
  });
}

/**
 * `GET /api/gallery`: all entries and their progress. `POST /api/gallery` starts to make them; with
 * `?again=<id>` a failed one is tried again. `GET /gallery-files/<name>`: videos, transcripts,
 * still pictures.
 */
export function galleryEndpoints(parts: GalleryRouteParts): Hono {
  const { gallery, files } = parts;
  const app = new Hono();

  const answer = async (entry: GalleryEntry, made: MadeEntry | null): Promise<EntryAnswer> => {
    const { id, title, says, inStep, source, task, exports } = entry;
    const still = `${id}-source.jpg`;
    const picture = files.file(still);
    const drawn = picture && (await stat(picture.path).catch(() => null));
    return {
      id,
      title,
      says,
      inStep,
      state: gallery.state(id),
      request: {
        path: `/tasks/${task.type}`,
        body: requestOf(entry, parts.sourceUrl(source)),
        exports: exports.map((one) => exportOptions(one, parts.watermarkUrl())),
      },
      source: {
        url: `/gallery-files/${source}.mp4`,
        poster: drawn ? `/gallery-files/${still}` : null,
        duration: made?.sourceDuration ?? null,
      },
      clips:
        made?.exports.map(({ label, duration }, index) => ({
          label,
          duration,
          url: made.urls[index] ?? '',
          poster: `/gallery-files/${id}-${index}.jpg`,
        })) ?? [],
      made: made && {
        name: made.clip.name,
        score: made.clip.score,
        explanation: made.clip.explanation,
        took: made.took,
        processor: made.processor,
      },
    };
  };

  app.get('/api/gallery', async (c) => {
    c.header('Cache-Control', 'no-store');
    // An error or a start is newer than the stored result.
    const settled = gallery.entries.filter(
      ({ id }) => !['working', 'error'].includes(gallery.state(id).status),
    );
    const made = await gallery.read(settled);
    return c.json(
      await Promise.all(gallery.entries.map((one) => answer(one, made.get(one.id) ?? null))),
    );
  });
  app.post('/api/gallery', (c) => {
    if (c.req.header('Sec-Fetch-Site') !== 'same-origin') {
      return c.json({ title: 'The request came from another site.' }, 403);
    }
    gallery.start(c.req.query('again'));
    return c.body(null, 202);
  });
  app.get('/gallery-files/:name', async (c) => {
    const file = files.file(c.req.param('name'));
    return (file && (await sendRange(file, c.req.header('Range')))) ?? c.notFound();
  });
  return app;
}
