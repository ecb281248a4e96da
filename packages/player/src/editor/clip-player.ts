import type { Edit } from 'clip-engine/drawing';
import { frameAt, sourceSeconds } from './clip-times.ts';
import {
  type EditorApi,
  neededFonts,
  type NeededFonts,
  type ProxyAnswer,
  RefusedCall,
} from './editor-api.ts';
import type { EditorModel } from './editor-model.ts';
import type { LiveDrawing } from './live.ts';
import { drawnSize } from './output-sizes.ts';
import { sameJson } from '../merge-patch.ts';

/** Approximate length of the proxy's shorter side, in pixels. */
const proxySide = 540;
const pollIntervalMs = 1000;

/** What the clip is drawn on. */
export interface Screen {
  canvas: HTMLCanvasElement;
  videos: readonly [HTMLVideoElement, HTMLVideoElement];
}

/** Plays the edited clip in the page, as soon as its proxy is there. */
export class ClipPlayer {
  readonly #model: EditorModel;
  readonly #api: EditorApi;
  readonly #readers = new Set<() => void>();
  #proxy: ProxyAnswer | null = null;
  #live: LiveDrawing | null = null;
  #screen: Screen | null = null;
  #drawn: Edit | null = null;
  #fonts: NeededFonts | null = null;
  #isDrawing = false;
  #position: number;
  #isClosed = false;

  constructor(model: EditorModel, api: EditorApi) {
    this.#model = model;
    this.#api = api;
    const { edit, words, places } = model.made;
    // The first word, so that its caption is seen.
    const from = words[places.indexOf('in')]?.start ?? edit.ranges[0]!.start;
    this.#position = sourceSeconds(edit, frameAt(edit, from + 0.05));
    model.on(() => {
      // Where an edge is pulled, the videos would have to look for a frame at each move.
      const isCutAnew = !sameJson(model.made.edit.ranges, this.#drawn?.ranges);
      if (!model.isPulled || !isCutAnew) void this.#draw();
    });
    void this.#requestProxy(true);
  }

  /** Null until the service has answered. */
  get proxy(): ProxyAnswer | null {
    return this.#proxy;
  }

  get isReady(): boolean {
    return this.#live !== null;
  }

  get isApproximate(): boolean {
    return this.#live?.isApproximate ?? false;
  }

  get isPlaying(): boolean {
    return this.#live?.isPlaying ?? false;
  }

  /** Source seconds of what is shown. */
  get position(): number {
    return this.#position;
  }

  /** Seconds of the clip that have played. */
  get played(): number {
    const { edit } = this.#model.made;
    return frameAt(edit, this.#position) / edit.frameRate;
  }

  on(read: () => void): () => void {
    this.#readers.add(read);
    return () => this.#readers.delete(read);
  }

  /** Draws on these elements from now on. */
  show(screen: Screen): void {
    this.#screen = screen;
    void this.#draw();
  }

  async seek(seconds: number): Promise<void> {
    const { edit } = this.#model.made;
    const frame = frameAt(edit, seconds);
    this.#position = sourceSeconds(edit, frame);
    this.#tell();
    await this.#live?.seek(frame);
  }

  async toggle(): Promise<void> {
    if (!this.#live) return;
    if (this.#live.isPlaying) this.#live.pause();
    else await this.#live.play().catch(() => {});
    this.#tell();
  }

  pause(): void {
    this.#live?.pause();
    this.#tell();
  }

  close(): void {
    this.#isClosed = true;
    this.#live?.close();
  }

  async #requestProxy(isFirst: boolean): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#proxy = await this.#api.readProxy();
      if (isFirst && ['missing', 'failed'].includes(this.#proxy.state)) {
        this.#proxy = await this.#api.startProxy();
      }
    } catch (error) {
      if (error instanceof RefusedCall && error.status < 500) {
        this.#proxy = { ...noProxy, message: error.message };
      }
    }
    this.#tell();
    if (this.#proxy?.state === 'ready') return void this.#draw();
    if (this.#proxy?.state !== 'failed') {
      setTimeout(() => void this.#requestProxy(false), pollIntervalMs);
    }
  }

  /** One after another; only the newest edit counts. */
  async #draw(): Promise<void> {
    if (this.#isDrawing || !this.#screen || this.#proxy?.state !== 'ready') return;
    this.#isDrawing = true;
    try {
      while (!this.#isClosed && this.#drawn !== this.#model.made.edit) {
        const { edit } = this.#model.made;
        this.#drawn = edit;
        if (this.#live) await this.#change(this.#live, edit);
        else await this.#open(edit, this.#screen, this.#proxy);
      }
    } catch {
      this.#proxy = { ...noProxy };
    } finally {
      this.#isDrawing = false;
    }
    this.#tell();
  }

  async #change(live: LiveDrawing, edit: Edit): Promise<void> {
    const size = drawnSize(edit.dimensions, proxySide);
    const needed = neededFonts(this.#model.inputs, this.#model.changes);
    if (sameJson(needed, this.#fonts)) return live.change(edit, { size });
    // Without a connection, it is drawn with those that are there.
    const fonts = await this.#api.readFonts(needed).catch(() => undefined);
    if (fonts) this.#fonts = needed;
    await live.change(edit, { size, fonts });
  }

  async #open(edit: Edit, { canvas, videos }: Screen, proxy: ProxyAnswer): Promise<void> {
    Object.assign(canvas, drawnSize(edit.dimensions, proxySide));
    this.#fonts = neededFonts(this.#model.inputs, this.#model.changes);
    const [{ LiveDrawing }, fonts] = await Promise.all([
      import('./live.ts'),
      this.#api.readFonts(this.#fonts),
    ]);
    const live = await LiveDrawing.open({
      canvas,
      videos,
      proxy: { url: this.#api.address(proxy.video!), offset: proxy.start },
      edit,
      fonts,
      loadEmoji: (emoji) => this.#api.readEmoji(emoji),
      onDrawn: (frame) => this.#see(frame),
    });
    if (this.#isClosed) return live.close();
    this.#live = live;
    await live.seek(frameAt(edit, this.#position));
  }

  #see(frame: number): void {
    const { edit } = this.#model.made;
    // It opens on its first frame.
    if (!this.#live || this.#drawn !== edit) return;
    this.#position = sourceSeconds(edit, frame);
    this.#tell();
  }

  #tell(): void {
    for (const read of this.#readers) read();
  }
}

const noProxy: ProxyAnswer = {
  state: 'failed',
  progress: null,
  message: null,
  start: 0,
  end: 0,
  video: null,
  strip: null,
  wave: null,
};
