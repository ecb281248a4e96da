import type { Edit } from 'clip-engine/drawing';
import { frameAt, mapFrameToSource } from './clip-times.ts';
import {
  type EditorApi,
  listNeededFonts,
  type NeededFonts,
  type ProxyAnswer,
  RefusedCall,
  type TimelineMedia,
} from './editor-api.ts';
import type { EditorModel } from './editor-model.ts';
import type { ProxyVideo } from './double-buffered-player.ts';
import type { LiveDrawing, LiveOptions } from './live.ts';
import { chooseDrawnSize } from './output-sizes.ts';
import { isSameJson } from '../merge-patch.ts';

/** Approximate length of the proxy's shorter side, in pixels. */
const proxySide = 540;
const pollIntervalMs = 1000;

/** The surfaces that the clip is drawn on. */
export interface Screen {
  canvas: HTMLCanvasElement;
  videos: readonly [HTMLVideoElement, HTMLVideoElement];
}

/**
 * Plays the edited clip in the page: from the source itself, if browsers can play it, until the
 * proxy is there.
 */
export class ClipPlayer {
  readonly #model: EditorModel;
  readonly #api: EditorApi;
  readonly #listeners = new Set<() => void>();
  #proxy: ProxyAnswer | null = null;
  /** Keyframes, and the sound wave so far, until there is a proxy. */
  #draft: TimelineMedia | null = null;
  /** Null if browsers cannot play the source. */
  #source: ProxyVideo | null = null;
  #live: LiveDrawing | null = null;
  /** The source of the pictures. */
  #shown: ProxyVideo | null = null;
  #hasPicture = false;
  #screen: Screen | null = null;
  #drawn: Edit | null = null;
  #fonts: NeededFonts | null = null;
  /** For the first drawing. */
  #tools: Promise<[typeof import('./live.ts'), LiveOptions['fonts']]> | null = null;
  #isDrawing = false;
  #position: number;
  readonly #closing = new AbortController();

  /** @param proxy the first answer, which is asked for before the model is there */
  constructor(model: EditorModel, api: EditorApi, proxy: Promise<ProxyAnswer>) {
    this.#model = model;
    this.#api = api;
    const { edit, words, places } = model.made;
    // The first word, so that its caption is seen.
    const from = words[places.indexOf('in')]?.start ?? edit.ranges[0]!.start;
    this.#position = mapFrameToSource(edit, frameAt(edit, from + 0.05));
    model.subscribe(() => {
      // Where an edge is pulled, the videos would have to look for a frame at each move.
      const isCutAnew = !isSameJson(model.made.edit.ranges, this.#drawn?.ranges);
      if (!model.isPreviewing || !isCutAnew) void this.#draw();
    });
    this.#tools = this.#loadTools();
    this.#tools.catch(() => {});
    void this.#requestProxy(proxy);
  }

  /** Loads the code and fonts that draw a clip, before its pictures are known. */
  #loadTools(): Promise<[typeof import('./live.ts'), LiveOptions['fonts']]> {
    this.#fonts = listNeededFonts(this.#model.inputs, this.#model.changes);
    return Promise.all([import('./live.ts'), this.#api.readFonts(this.#fonts)]);
  }

  /** Null until the service has answered. */
  get proxy(): ProxyAnswer | null {
    return this.#proxy;
  }

  /** The pictures and sound of the segment, as far as they are known; null: nothing yet. */
  get timelineMedia(): TimelineMedia | null {
    return this.#proxy?.state === 'ready' ? this.#proxy : this.#draft;
  }

  get isReady(): boolean {
    return this.#hasPicture;
  }

  get isApproximate(): boolean {
    return this.#live?.isApproximate ?? false;
  }

  get isPlaying(): boolean {
    return this.#live?.isPlaying ?? false;
  }

  /** The shown position in source seconds. */
  get position(): number {
    return this.#position;
  }

  /** Seconds of the clip that have played. */
  get playedSeconds(): number {
    const { edit } = this.#model.made;
    return frameAt(edit, this.#position) / edit.frameRate;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Draws on these elements from now on. */
  attach(screen: Screen): void {
    this.#screen = screen;
    for (const video of screen.videos)
      video.addEventListener('error', () => this.#dropVideo(this.#shown));
    void this.#draw();
  }

  async seek(seconds: number): Promise<void> {
    const { edit } = this.#model.made;
    const frame = frameAt(edit, seconds);
    this.#position = mapFrameToSource(edit, frame);
    this.#notify();
    await this.#live?.seek(frame);
  }

  async togglePlaying(): Promise<void> {
    if (!this.#live) return;
    if (this.#live.isPlaying) return this.pause();
    await this.#live.play().catch(() => {});
    this.#notify();
  }

  pause(): void {
    this.#live?.pause();
    this.#switchVideo();
    this.#notify();
  }

  close(): void {
    this.#closing.abort();
    this.#live?.close();
  }

  async #requestProxy(first?: Promise<ProxyAnswer>): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#proxy = await (first ?? this.#api.readProxy());
      const { source, state } = this.#proxy;
      if (first && state !== 'ready') void this.#readDraft();
      if (first && source) this.#source = { url: this.#api.resolveUrl(source), offset: 0 };
      if (first && ['missing', 'failed'].includes(state)) {
        void this.#draw();
        this.#proxy = await this.#api.startProxy();
      }
    } catch (error) {
      if (error instanceof RefusedCall && error.status < 500) {
        this.#proxy = { ...noProxy, message: error.message };
      }
    }
    this.#switchVideo();
    this.#notify();
    void this.#draw();
    if (this.#proxy?.state === 'ready') return;
    if (this.#proxy?.state !== 'failed') {
      setTimeout(() => void this.#requestProxy(), pollIntervalMs);
    }
  }

  /** Without a draft, the timeline waits for the proxy. */
  async #readDraft(): Promise<void> {
    const addPart = ({ wave, ...part }: TimelineMedia): void => {
      const known = this.#draft?.wave?.peaks ?? [];
      const longer = wave && { ...wave, peaks: [...known, ...wave.peaks] };
      this.#draft = { ...this.#draft, ...part, wave: longer ?? this.#draft?.wave ?? null };
      this.#notify();
    };
    await this.#api.readDraft(addPart, this.#closing.signal).catch(() => {});
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  get #video(): ProxyVideo | null {
    const { state, video, start } = this.#proxy ?? noProxy;
    return state === 'ready' ? { url: this.#api.resolveUrl(video!), offset: start } : this.#source;
  }

  /** Draws one edit after another; skips all but the newest. */
  async #draw(): Promise<void> {
    if (this.#isDrawing || !this.#screen || !this.#video) return;
    this.#isDrawing = true;
    try {
      while (!this.#isClosed && this.#video && this.#drawn !== this.#model.made.edit) {
        const { edit } = this.#model.made;
        this.#drawn = edit;
        if (this.#live) await this.#updateDrawing(this.#live, edit);
        else await this.#startDrawing(edit, this.#screen);
      }
    } catch {
      this.#dropVideo(this.#shown);
    } finally {
      this.#isDrawing = false;
    }
    this.#notify();
    if (!this.#live) void this.#draw();
  }

  /** The proxy seeks sooner, and its address does not end. A clip that plays is not disturbed. */
  #switchVideo(): void {
    const [live, video] = [this.#live, this.#video];
    if (!live || !video || live.isPlaying || this.#shown?.url === video.url) return;
    this.#shown = video;
    live.setProxy(video).catch(() => this.#dropVideo(video));
  }

  /** A video that was shown cannot be played. Without the source, the proxy is waited for. */
  #dropVideo(video: ProxyVideo | null): void {
    if (this.#isClosed || !video || video !== this.#shown) return;
    if (video === this.#source) this.#source = null;
    else [this.#source, this.#proxy] = [null, { ...noProxy }];
    this.#live?.close();
    [this.#live, this.#shown, this.#drawn] = [null, null, null];
    this.#hasPicture = false;
    this.#notify();
    void this.#draw();
  }

  async #updateDrawing(live: LiveDrawing, edit: Edit): Promise<void> {
    const size = chooseDrawnSize(edit.dimensions, proxySide);
    const needed = listNeededFonts(this.#model.inputs, this.#model.changes);
    if (isSameJson(needed, this.#fonts)) return live.change(edit, { size });
    // Without a connection, it is drawn with those that are there.
    const fonts = await this.#api.readFonts(needed).catch(() => undefined);
    if (fonts) this.#fonts = needed;
    await live.change(edit, { size, fonts });
  }

  async #startDrawing(edit: Edit, { canvas, videos }: Screen): Promise<void> {
    Object.assign(canvas, chooseDrawnSize(edit.dimensions, proxySide));
    const needed = listNeededFonts(this.#model.inputs, this.#model.changes);
    const loaded = isSameJson(needed, this.#fonts) ? this.#tools : null;
    this.#tools = null;
    const [{ LiveDrawing }, fonts] = await (loaded ?? this.#loadTools());
    // Chosen as late as this: the proxy may be there by now.
    const proxy = (this.#shown = this.#video!);
    const live = await LiveDrawing.create({
      canvas,
      videos,
      proxy,
      edit,
      fonts,
      loadEmoji: (emoji) => this.#api.readEmoji(emoji),
      loadMusic: (id) => this.#api.readMedia(id),
      onDrawn: (frame) => this.#followFrame(frame),
    });
    // Meanwhile it is closed, or its video cannot be played.
    if (this.#isClosed || this.#shown !== proxy) return live.close();
    this.#live = live;
    this.#switchVideo();
    // Not waited for: a source that comes slowly must not keep the proxy from being taken.
    live.seek(frameAt(edit, this.#position)).catch(() => this.#dropVideo(proxy));
  }

  #followFrame(frame: number): void {
    const { edit } = this.#model.made;
    if (!this.#live || this.#drawn !== edit) return;
    this.#hasPicture = true;
    this.#position = mapFrameToSource(edit, frame);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const noProxy: ProxyAnswer = {
  state: 'failed',
  progress: null,
  message: null,
  start: 0,
  end: 0,
  video: null,
  source: null,
  strip: null,
  wave: null,
};
