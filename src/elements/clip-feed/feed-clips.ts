import type { LitElement, ReactiveController } from 'lit';
import { asClipError, ClipError, loadPart } from '../../client/clip-error.ts';
import type { Project } from '../../contract/project.ts';
import { isSignedOut, makeErrorEvent } from '../events.ts';
import { makePosterUrl } from '../settings/clip-url.ts';
import { readHostOptions, checkId } from '../settings/host-options.ts';
import type { PageController } from '../settings/page-controller.ts';
import { ClipFeedErrorEvent } from './clip-feed-events.ts';

/** A clip of a feed, as it is known before its page has loaded. */
export interface FeedClip {
  readonly id: string;
  /** Empty if it is not known. */
  readonly title: string;
  readonly poster: string | null;
  /** Attributes of the page's own element for it. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The clip in the folder. */
  readonly clip: Project | null;
}

interface FeedHost extends LitElement {
  readonly folder: string | null;
  readonly projects: string | null;
}

export type FeedStatus = 'idle' | 'loading' | 'ready' | 'error' | 'signed-out';

const none: ReadonlyMap<string, string> = new Map();

/** Attributes that the feed sets itself. */
const ofFeed = ['loading', 'autoplay', 'muted', 'loop', 'playsinline', 'label', 'poster'];

/** The clip of a `<clip-preview>` in the page's markup, before and after it is defined. */
function readClip(preview: Element): FeedClip | null {
  const id = preview.getAttribute('project');
  if (!id) return null;
  const image = preview.querySelector('img');
  const own = Array.from(preview.attributes, ({ name, value }) => [name, value] as const);
  return {
    id,
    title:
      preview.getAttribute('label') ??
      (preview.querySelector('a')?.textContent.trim() || image?.alt || ''),
    poster:
      preview.getAttribute('poster') ?? image?.getAttribute('src') ?? makePosterUrl(preview, id),
    attributes: new Map(
      own.filter(
        ([name]) => !/^(id|class|style|slot|part|hidden)$/.test(name) && !ofFeed.includes(name),
      ),
    ),
    clip: null,
  };
}

/** The clips of a feed: those in its markup, then those of `projects`, or of its folder. */
export class FeedClips implements ReactiveController {
  readonly #host: FeedHost;
  readonly #page: PageController;
  status: FeedStatus = 'idle';
  error: ClipError | null = null;
  all: readonly FeedClip[] = [];
  #read: readonly Project[] = [];
  #key: string | null = null;
  #watching: AbortController | null = null;

  constructor(host: FeedHost, page: PageController) {
    this.#host = host;
    this.#page = page;
    host.addController(this);
  }

  hostUpdate(): void {
    if (!this.#page.connected) return;
    const { folder, projects } = this.#host;
    const written = [...this.#host.querySelectorAll(':scope > clip-preview')];
    const settings = this.#page.settings(() => {
      if (!folder && !projects && !written.length) {
        throw new ClipError('missing-folder', 'No folder is set: set the id of a folder of clips.');
      }
      checkId(folder, 'folder');
      return JSON.stringify(folder && [readHostOptions(this.#host), folder]);
    });
    if (settings && settings.key !== this.#key) {
      this.end();
      this.#key = settings.key;
      if (settings.error) this.#fail(settings.error);
      else if (folder) void this.#watch();
      else this.status = 'ready';
    }
    this.all = this.#join(written);
  }

  #join(written: readonly Element[]): FeedClip[] {
    const { projects } = this.#host;
    const clips = new Map<string, FeedClip>();
    for (const preview of written) {
      const clip = readClip(preview);
      if (clip) clips.set(clip.id, clip);
    }
    const read = new Map(this.#read.map((clip) => [clip.id, clip]));
    for (const id of projects?.split(/\s+/).filter(Boolean) ?? read.keys()) {
      const clip = read.get(id) ?? null;
      const known = clips.get(id);
      clips.set(id, {
        id,
        title: known?.title || clip?.name || '',
        poster: known?.poster ?? clip?.poster_url ?? makePosterUrl(this.#host, id),
        attributes: known?.attributes ?? none,
        clip,
      });
    }
    return [...clips.values()];
  }

  /** Reads the folder again. */
  reload(): void {
    if (this.#page.connected && this.#host.folder) void this.#watch();
  }

  /** Ends all work. */
  end(): void {
    this.#watching?.abort();
    this.#read = [];
    this.#key = null;
    this.#set('idle');
  }

  async #watch(): Promise<void> {
    this.#watching?.abort();
    const { signal } = (this.#watching = new AbortController());
    this.#set('loading');
    try {
      const { watchClips } = await loadPart(import('../../client/clip-watcher.ts'));
      if (signal.aborted) return;
      addEventListener('clip-session-change', () => this.reload(), { signal });
      await watchClips(
        readHostOptions(this.#host),
        { folder: this.#host.folder, project: null, task: null },
        {
          onUpdate: (clips) => {
            this.#read = clips.filter((clip) => clip !== undefined);
            this.#set('ready');
          },
          onStalled: () => {},
          onFailed: (error) => this.#fail(error),
          onOtherAccount: () => {
            this.#read = [];
            this.reload();
          },
        },
        signal,
      );
    } catch (cause) {
      if (!signal.aborted) this.#fail(asClipError(cause));
    }
  }

  #fail(error: ClipError): void {
    const isOut = isSignedOut(error);
    if (isOut) this.#read = [];
    this.#set(isOut ? 'signed-out' : 'error', error);
    const event = new ClipFeedErrorEvent(this.#host.folder, error);
    this.#page.dispatch(makeErrorEvent(this.#host, error, event));
  }

  #set(status: FeedStatus, error: ClipError | null = null): void {
    this.status = status;
    this.error = error;
    this.#host.requestUpdate();
  }
}
