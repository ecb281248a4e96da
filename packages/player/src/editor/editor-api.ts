import type { Edit, EditInputs, FramingAnalysis, Style } from 'clip-engine/drawing';
import type {
  Allowance,
  EditChanges,
  EditDocument,
  EditorLimits,
  Export,
  Permission,
} from 'clip-kit/contract';
import type { LiveOptions } from './live.ts';

interface Preset {
  id: string;
  name: string;
  style: Style;
}

/** A clip's edit, and what the page needs to draw a change of it alone. */
export interface EditAnswer {
  edit: Omit<EditDocument, 'edit'> & { edit: Edit };
  inputs: EditInputs;
  analysis: FramingAnalysis | null;
  permissions: readonly Permission[];
  editor: EditorLimits;
  presets: readonly Preset[];
  /** The music and bumpers that the clip can have. */
  media: readonly { id: string; kind: 'music' | 'bumper'; name: string; seconds: number }[];
  /** The limit to which the clip can be extended. */
  margin: 'source' | 'segment';
}

/** Small pictures of the segment, one beside the other. */
interface Strip {
  url: string;
  /** The size of one picture, in pixels. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  count: number;
  step_seconds: number;
}

/** The loudness of the segment. */
interface Wave {
  step_seconds: number;
  peaks: readonly number[];
}

/** The proxy of the editable segment. */
export interface ProxyAnswer {
  state: 'missing' | 'preparing' | 'ready' | 'failed';
  progress: number | null;
  message: string | null;
  start: number;
  end: number;
  video: string | null;
  /** The source itself, for some time; null if browsers do not show it as a render does. */
  source: string | null;
  strip: Strip | null;
  wave: Wave | null;
}

/** Pictures and sound of the editable segment, for the timeline. */
export type TimelineMedia = Pick<ProxyAnswer, 'start' | 'end' | 'strip' | 'wave'>;

/** The newest exports of the clip. */
export interface ExportsAnswer {
  revision: number;
  ready: Export | null;
  processing: Export | null;
  /** The newest of this revision that has failed. */
  failed: Export | null;
}

/** An unsuccessful answer. */
export class RefusedCall extends Error {
  override name = 'RefusedCall';
  readonly status: number;
  readonly errors: readonly { path: string; message: string }[];

  constructor(
    status: number,
    { detail, errors }: { detail?: string; errors?: RefusedCall['errors'] },
  ) {
    super(detail ?? String(status));
    this.status = status;
    this.errors = errors ?? [];
  }
}

/** The calls of the editor, with the page's token of the moment. */
export class EditorApi {
  readonly #root: URL;
  readonly #clipId: string;
  readonly #token: () => string;

  constructor(root: URL, clipId: string, token: () => string) {
    this.#root = root;
    this.#clipId = clipId;
    this.#token = token;
  }

  /** A whole address of one that is relative to the service's root. */
  resolveUrl(path: string): string {
    return new URL(path, this.#root).href;
  }

  readEdit(): Promise<EditAnswer> {
    return this.#json('GET', '/edit');
  }

  changeEdit(changes: Record<string, unknown>, revision: number): Promise<EditAnswer> {
    const headers = { 'If-Match': `"${revision}"` };
    return this.#json('PATCH', '/edit', { body: { changes }, headers });
  }

  readProxy(): Promise<ProxyAnswer> {
    return this.#json('GET', '/proxy');
  }

  startProxy(): Promise<ProxyAnswer> {
    return this.#json('POST', '/proxy', { body: {} });
  }

  /** Reads what the timeline shows until there is a proxy: the parts, as they are made. */
  async readDraft(onPart: (part: TimelineMedia) => void, signal: AbortSignal): Promise<void> {
    const url = this.resolveUrl(`embed-api/projects/${this.#clipId}/draft`);
    const answer = await fetch(url, { headers: this.#authorization, cache: 'no-store', signal });
    if (!answer.ok) return;
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) onPart(JSON.parse(line) as TimelineMedia);
    }
  }

  /** The fonts that an export uses, cut down to the letters that occur. */
  async readFonts({ presetId, letters }: NeededFonts): Promise<LiveOptions['fonts']> {
    const query = new URLSearchParams({
      ...(letters !== '' && { text: letters }),
      ...(presetId !== null && { style_preset_id: presetId }),
    });
    const path = `/fonts?${query}`;
    const { files, fallback } = await this.#json<{ files: string[]; fallback: string }>(
      'GET',
      path,
    );
    return {
      files: files.map((file) => Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0))),
      fallback,
    };
  }

  /** Reads the file of music or a bumper. */
  async readMedia(id: string): Promise<Blob> {
    const path = `embed-api/projects/${this.#clipId}/media/${encodeURIComponent(id)}`;
    const answer = await fetch(this.resolveUrl(path), { headers: this.#authorization });
    if (answer.ok) return answer.blob();
    throw new RefusedCall(answer.status, {});
  }

  /** The picture with which the export draws an emoji; null if it has none. */
  async readEmoji(emoji: string): Promise<ImageBitmap | null> {
    const answer = await fetch(this.resolveUrl(`assets/emoji/${encodeURIComponent(emoji)}`));
    return answer.ok ? createImageBitmap(await answer.blob()) : null;
  }

  /** The emoji of a language by name. */
  async readEmojiNames(language: string): Promise<[string, string][]> {
    const answer = await fetch(
      this.resolveUrl(`assets/emoji/names/${encodeURIComponent(language)}`),
    );
    return answer.ok ? ((await answer.json()) as [string, string][]) : [];
  }

  readExports(): Promise<ExportsAnswer> {
    return this.#json('GET', '/exports');
  }

  readAllowance(): Promise<Allowance> {
    return this.#json('GET', '/allowance');
  }

  startExport(key: string): Promise<Export> {
    return this.#json('POST', '/exports', { body: {}, headers: { 'Idempotency-Key': key } });
  }

  get #authorization(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token()}` };
  }

  async #json<Answer>(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await fetch(this.resolveUrl(`embed-api/projects/${this.#clipId}${path}`), {
      method,
      headers: {
        ...this.#authorization,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      cache: 'no-store',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.ok) return (await answer.json()) as Answer;
    const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new RefusedCall(answer.status, problem);
  }
}

/**
 * The `Idempotency-Key` of a paid start: the same for a revision in every tab and after a reload,
 * so that it is paid once; another one when an export of the revision has failed.
 */
export const makeExportKey = (
  clipId: string,
  revision: number,
  failed: { readonly id: string; readonly revision?: number | undefined } | null,
): string => `editor.${clipId}.${revision}.${failed?.revision === revision ? failed.id : 'first'}`;

/** Requirements for the fonts of a clip: a style, and the letters that are not in its words. */
export interface NeededFonts {
  /** Several with commas between them. */
  presetId: string | null;
  letters: string;
}

/** The fonts come with the letters of all words and of the title. */
export function listNeededFonts(
  { words, title }: Pick<EditInputs, 'words' | 'title'>,
  { words: corrections = {}, title: retitled = '', style_preset_id: preset }: EditChanges,
): NeededFonts {
  const known = new Set([title, ...(words ?? []).map(({ text }) => text)].join(''));
  const written = new Set([...Object.values(corrections), retitled].join(''));
  const letters = [...written].filter((letter) => !known.has(letter)).toSorted();
  return { presetId: preset ?? null, letters: letters.join('') };
}
