import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Export, Project, Task } from 'clip-kit/contract';
import type { GalleryEntry } from '../../gallery/entries.ts';
import type { GalleryFiles } from './gallery-files.ts';
import { Declined, type HostCalls } from './host-calls.ts';
import { processorSeconds } from './processor-seconds.ts';

/** Progress of an entry. `share` is 0 to 1, of the stage in `stage`. */
export type EntryState =
  | { status: 'waiting' }
  | { status: 'working'; stage: string; share: number | null }
  | { status: 'ready' }
  | { status: 'error'; message: string };

/** What the demo's pages show of a clip. `score` is 0 to 1. */
export interface GalleryClip {
  id: string;
  name: string;
  score: number | null;
  explanation: string | null;
}

/** The stored result of a finished entry. Times in seconds. */
export interface Made {
  /** Identifies the request that made it: another request makes it again. */
  request: string;
  clip: GalleryClip;
  exports: { label: string; id: string; duration: number }[];
  sourceDuration: number;
  /** From the request to the last file. */
  took: number;
  /** Null if the system does not report it. */
  processor: number | null;
}

/** A result with the current URLs of its exports. */
export interface MadeEntry extends Made {
  urls: string[];
}

export interface GalleryParts {
  readonly calls: HostCalls;
  readonly entries: readonly GalleryEntry[];
  /** Where the results are stored (`gallery.json`). */
  readonly directory: string;
  /** The videos and still pictures on disk. */
  readonly files: Pick<GalleryFiles, 'makeSource' | 'takeStill'>;
  /** URL at which the service fetches a source, by its name. */
  readonly sourceUrl: (name: string) => string;
  /** URL of the image for exports with a watermark. */
  readonly watermarkUrl: () => string;
  /** Duration of a video in seconds, by its URL. */
  readonly durationOf: (url: string) => Promise<number>;
  /** Milliseconds between two polls of the service; default 400. */
  readonly pause?: number;
}

/** The body of the request for an entry. */
export const requestOf = (entry: GalleryEntry, sourceUrl: string): object => ({
  source_video_url: sourceUrl,
  ...entry.task.body,
});

/** The body of the request for an export of it. */
export const exportOptions = (
  { preset_id, watermark }: GalleryEntry['exports'][number],
  watermarkUrl: string,
): object => ({
  ...(preset_id && { preset_id }),
  ...(watermark && { watermark: { src_url: watermarkUrl, pos_x: 0.93, pos_y: 0.05, scale: 0.7 } }),
});

/** Identifies the request of an entry. */
export const fingerprint = (entry: GalleryEntry): string =>
  createHash('sha256')
    .update(JSON.stringify([entry.source, entry.task, entry.exports]))
    .digest('base64url');

const failed = ({ failure }: Pick<Export | Task, 'failure'>): Error =>
  new Error(failure?.message ?? 'The service does not say why.');

/**
 * Makes the clips of the gallery with the service, one entry after another, and stores the results.
 */
export class Gallery {
  readonly #parts: GalleryParts;
  readonly #states = new Map<string, EntryState>();
  readonly #closing = new AbortController();
  #made: Record<string, Made> | null = null;
  #busy = false;
  #working: Promise<unknown> | null = null;

  constructor(parts: GalleryParts) {
    this.#parts = parts;
  }

  get entries(): readonly GalleryEntry[] {
    return this.#parts.entries;
  }

  state(id: string): EntryState {
    return this.#states.get(id) ?? { status: 'waiting' };
  }

  /**
   * The results of the entries that are ready, by id, with the current URLs of their files. One
   * call for all of them: hosts limit the requests of a user.
   */
  async read(entries: readonly GalleryEntry[]): Promise<Map<string, MadeEntry>> {
    const remembered = await this.#remembered();
    const results = entries.flatMap((entry) => {
      const made = remembered[entry.id];
      return made?.request === fingerprint(entry) ? [{ id: entry.id, made }] : [];
    });
    const ids = results.flatMap(({ made }) => made.exports.map(({ id }) => id));
    const there = new Map(
      (await this.#parts.calls.readExports(ids)).map(({ id, src_url }) => [id, src_url]),
    );
    const ready = new Map<string, MadeEntry>();
    for (const { id, made } of results) {
      const urls = made.exports.map((one) => there.get(one.id));
      if (!urls.every((url) => typeof url === 'string')) continue;
      this.#states.set(id, { status: 'ready' });
      ready.set(id, { ...made, urls });
    }
    return ready;
  }

  /**
   * Starts to make what is missing, in the background. A failed entry is tried again if it is
   * named.
   */
  start(again?: string): void {
    if (again !== undefined && this.state(again).status === 'error') this.#states.delete(again);
    if (this.#busy) return;
    this.#busy = true;
    this.#working = this.#work();
  }

  /** The id of the first entry's clip, which is made before all others if it is missing. */
  async firstClip(): Promise<string> {
    const [entry] = this.entries;
    if (!entry) throw new Error('The gallery has no entries.');
    const making = this.#ensure(entry);
    this.#working = Promise.allSettled([this.#working, making]);
    await making;
    return (await this.#remembered())[entry.id]!.clip.id;
  }

  /**
   * The clips that there are, in the order of the entries. If there are none, the first is made.
   */
  async clips(): Promise<GalleryClip[]> {
    const made = async () => {
      const remembered = await this.#remembered();
      return this.entries.flatMap(({ id }) => remembered[id]?.clip ?? []);
    };
    const there = await made();
    if (there.length) return there;
    await this.firstClip();
    return made();
  }

  /** Stops. Work that the service has already started continues. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The demo is stopping.'));
    await this.#working;
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const next = this.entries.find(({ id }) => this.state(id).status === 'waiting');
      if (!next || signal.aborted) {
        // Synchronous, so that a start right after it finds no work in progress.
        this.#busy = false;
        return;
      }
      // Its state says what went wrong.
      await this.#ensure(next).catch(() => {});
    }
  }

  /** Makes an entry if it is missing. */
  async #ensure(entry: GalleryEntry): Promise<void> {
    this.#states.set(entry.id, { status: 'working', stage: 'source', share: null });
    try {
      if (!(await this.read([entry])).has(entry.id)) await this.#make(entry);
      this.#states.set(entry.id, { status: 'ready' });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#states.set(entry.id, { status: 'error', message });
      throw error;
    }
  }

  async #make(entry: GalleryEntry): Promise<void> {
    const { calls, files, sourceUrl, watermarkUrl, durationOf } = this.#parts;
    const { signal } = this.#closing;
    const tell = (stage: string, share: number | null) =>
      this.#states.set(entry.id, { status: 'working', stage, share });
    const source = await files.makeSource(entry.source, signal);
    await files.takeStill(source, entry.stills.source, `${entry.id}-source`, signal);
    const url = sourceUrl(entry.source);
    const [began, spent] = [performance.now(), await processorSeconds()];
    tell('queued', null);
    const created = await calls.createTask(entry.task.type, requestOf(entry, url));
    const task = await this.#settled(
      () => calls.readTask(created.id),
      ({ progress }) => tell(progress?.stage ?? 'queued', progress?.share ?? null),
    );
    const [clip] = await calls.readClips(task);
    if (!clip) throw new Error('The service found no clip in it.');
    const exports: Export[] = [];
    for (const [index, options] of entry.exports.entries()) {
      const started = await calls.startExport(clip, exportOptions(options, watermarkUrl()));
      exports.push(await this.#exported(started.id, index, entry.exports.length, tell));
    }
    const now = await processorSeconds();
    const took = (performance.now() - began) / 1000;
    for (const [index, { src_url }] of exports.entries()) {
      await files.takeStill(src_url ?? '', entry.stills.clip, `${entry.id}-${index}`, signal);
    }
    await this.#remember(entry, {
      request: fingerprint(entry),
      clip: describe(clip),
      exports: await Promise.all(
        exports.map(async ({ id, src_url }, index) => ({
          label: entry.exports[index]!.label,
          id,
          duration: await durationOf(src_url ?? ''),
        })),
      ),
      sourceDuration: await durationOf(source),
      took,
      processor: now !== null && spent !== null ? now - spent : null,
    });
  }

  async #exported(
    id: string,
    index: number,
    count: number,
    tell: (stage: string, share: number) => void,
  ): Promise<Export> {
    return this.#settled(
      async () => {
        const [found] = await this.#parts.calls.readExports([id]);
        if (!found) throw new Declined(404, 'The export is gone.');
        return found;
      },
      ({ progress }) => tell('render', (index + (progress?.share ?? 0)) / count),
    );
  }

  /** Polls until it is ready. Throws with the reason if it ends in an error. */
  async #settled<T extends Task | Export>(
    look: () => Promise<T>,
    onResult: (one: T) => void,
  ): Promise<T> {
    for (;;) {
      const one = await look();
      if (one.status === 'error') throw failed(one);
      if (one.status === 'ready') return one;
      onResult(one);
      await sleep(this.#parts.pause ?? 400, undefined, { signal: this.#closing.signal });
    }
  }

  async #remembered(): Promise<Record<string, Made>> {
    this.#made ??= JSON.parse(await readFile(this.#file, 'utf8').catch(() => '{}')) as Record<
      string,
      Made
    >;
    return this.#made;
  }

  async #remember(entry: GalleryEntry, made: Made): Promise<void> {
    const all = await this.#remembered();
    all[entry.id] = made;
    await writeFile(`${this.#file}.part`, JSON.stringify(all, null, 2));
    await rename(`${this.#file}.part`, this.#file);
  }

  get #file(): string {
    return join(this.#parts.directory, 'gallery.json');
  }
}

const describe = (clip: Project): GalleryClip => ({
  id: clip.id,
  name: clip.name,
  score: clip.virality_score,
  explanation: clip.virality_score_explanation,
});
