import type { Edit } from 'clip-engine/drawing';
import { frameAt, sourceSeconds } from './clip-times.ts';
import { RefusedCall, type EditorApi, type FilmAnswer } from './editor-api.ts';
import type { EditorModel } from './editor-model.ts';
import type { LiveDrawing } from './live.ts';
import { neededFonts, type NeededFonts } from './needed-fonts.ts';
import { drawnSize } from './output-sizes.ts';
import { sameJson } from '../merge-patch.ts';

/** The proxy has about so many pixels on its shorter side. */
const filmSide = 540;
const askAgainMs = 1000;

/** What the clip is drawn on. */
export interface Screen {
  canvas: HTMLCanvasElement;
  videos: readonly [HTMLVideoElement, HTMLVideoElement];
}

/** Plays the edited clip in the page, as soon as its film is there. */
export class ClipPlayer {
  readonly #model: EditorModel;
  readonly #api: EditorApi;
  readonly #readers = new Set<() => void>();
  #film: FilmAnswer | null = null;
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
    void this.#askForFilm(true);
  }

  /** Null until the service has answered. */
  get film(): FilmAnswer | null {
    return this.#film;
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

  async #askForFilm(isFirst: boolean): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#film = await this.#api.readFilm();
      if (isFirst && ['missing', 'failed'].includes(this.#film.state)) {
        this.#film = await this.#api.startFilm();
      }
    } catch (error) {
      if (error instanceof RefusedCall && error.status < 500) {
        this.#film = { ...noFilm, message: error.message };
      }
    }
    this.#tell();
    if (this.#film?.state === 'ready') return void this.#draw();
    if (this.#film?.state !== 'failed') {
      setTimeout(() => void this.#askForFilm(false), askAgainMs);
    }
  }

  /** One after another; only the newest edit counts. */
  async #draw(): Promise<void> {
    if (this.#isDrawing || !this.#screen || this.#film?.state !== 'ready') return;
    this.#isDrawing = true;
    try {
      while (!this.#isClosed && this.#drawn !== this.#model.made.edit) {
        const { edit } = this.#model.made;
        this.#drawn = edit;
        if (this.#live) await this.#change(this.#live, edit);
        else await this.#open(edit, this.#screen, this.#film);
      }
    } catch {
      this.#film = { ...noFilm };
    } finally {
      this.#isDrawing = false;
    }
    this.#tell();
  }

  async #change(live: LiveDrawing, edit: Edit): Promise<void> {
    const size = drawnSize(edit.dimensions, filmSide);
    const needed = neededFonts(this.#model.basis, this.#model.changes);
    if (sameJson(needed, this.#fonts)) return live.change(edit, { size });
    // Without a connection, it is drawn with those that are there.
    const fonts = await this.#api.readFonts(needed).catch(() => undefined);
    if (fonts) this.#fonts = needed;
    await live.change(edit, { size, fonts });
  }

  async #open(edit: Edit, { canvas, videos }: Screen, film: FilmAnswer): Promise<void> {
    Object.assign(canvas, drawnSize(edit.dimensions, filmSide));
    this.#fonts = neededFonts(this.#model.basis, this.#model.changes);
    const [{ LiveDrawing }, fonts] = await Promise.all([
      import('./live.ts'),
      this.#api.readFonts(this.#fonts),
    ]);
    const live = await LiveDrawing.open({
      canvas,
      videos,
      film: { url: this.#api.address(film.video!), offset: film.start },
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

const noFilm: FilmAnswer = {
  state: 'failed',
  progress: null,
  message: null,
  start: 0,
  end: 0,
  video: null,
  strip: null,
  wave: null,
};
