/** The clip of an edit as its export will look, drawn in the page. */
import { assDocument, type Edit } from 'clip-engine/drawing';
import { drawPlainText } from './plain-text.ts';
import { EmojiPictures, type LoadEmoji } from './emoji-pictures.ts';
import { drawPicture } from './picture.ts';
import { TextLayer } from './text-layer.ts';
import type { DrawnText } from './text-protocol.ts';
import { Turns, type Film } from './turns.ts';

export interface LiveOptions {
  /** Its size in pixels is that of the drawing. */
  canvas: HTMLCanvasElement;
  /** Need not be in the document. */
  videos: readonly [HTMLVideoElement, HTMLVideoElement];
  /** The proxy of the stretch. From another origin, it must allow this one to read it. */
  film: Film;
  edit: Edit;
  /** The fonts that the export uses, and the family of letters that the style's font lacks. */
  fonts: { files: readonly Uint8Array<ArrayBuffer>[]; fallback: string };
  loadEmoji: LoadEmoji;
  /** Called after each picture on the canvas, with its frame of the output. */
  onDrawn?: (frame: number) => void;
}

/** The script is beside this one. Not written as one expression: the bundler would copy it. */
const here = import.meta.url;
const workerScript = new URL('text-worker.js', here);

/** An edit, drawn live. */
export class LiveDrawing {
  readonly #context: CanvasRenderingContext2D;
  readonly #turns: Turns;
  /** Null where WebAssembly is refused. */
  readonly #text: TextLayer | null;
  readonly #emojis: EmojiPictures;
  readonly #onDrawn: (frame: number) => void;
  #edit: Edit;
  #drawn: DrawnText = null;
  #video: HTMLVideoElement | null = null;
  /** The frame whose text is to be drawn when the one that is being drawn is done. */
  #nextText: number | null = null;
  #isClosed = false;

  private constructor(options: LiveOptions, text: TextLayer | null) {
    this.#context = options.canvas.getContext('2d', { alpha: false })!;
    this.#edit = options.edit;
    this.#text = text;
    this.#emojis = new EmojiPictures(options.loadEmoji);
    this.#onDrawn = options.onDrawn ?? (() => {});
    this.#turns = new Turns(options.videos, options.film, options.edit, (video, frame) => {
      this.#video = video;
      void this.#drawText(frame);
      this.#paint();
    });
  }

  /** Draws the first frame, too. */
  static async open(options: LiveOptions): Promise<LiveDrawing> {
    const { canvas, edit, fonts } = options;
    const text = await TextLayer.open(
      {
        size: { width: canvas.width, height: canvas.height },
        fonts: fonts.files,
        fallbackFont: fonts.fallback,
        document: assDocument(edit),
      },
      workerScript,
    ).catch(() => null);
    const live = new LiveDrawing(options, text);
    await live.#emojis.prepare(edit);
    await live.seek(0);
    return live;
  }

  /** Whether the text only looks about as it will: the browser draws it, not libass. */
  get isApproximate(): boolean {
    return this.#text === null;
  }

  get frame(): number {
    return this.#turns.frame;
  }

  get isPlaying(): boolean {
    return this.#turns.isPlaying;
  }

  set isMuted(isMuted: boolean) {
    this.#turns.isMuted = isMuted;
  }

  /** Draws a changed edit, at the same place. */
  async change(edit: Edit): Promise<void> {
    const cuts = (one: Edit) => JSON.stringify([one.ranges, one.frameRate]);
    const isCutAnew = cuts(edit) !== cuts(this.#edit);
    this.#edit = edit;
    if (this.#text) this.#text.document = assDocument(edit);
    await this.#emojis.prepare(edit);
    this.#turns.edit = edit;
    if (isCutAnew) await this.seek(this.#turns.frame);
    else {
      await this.#drawText(this.#turns.frame);
      this.#paint();
    }
  }

  /** Resolves when the frame is drawn, with its text. */
  async seek(frame: number): Promise<void> {
    await this.#turns.seek(frame);
    await this.#drawText(this.#turns.frame);
    this.#paint();
  }

  play(): Promise<void> {
    return this.#turns.play();
  }

  pause(): void {
    this.#turns.pause();
  }

  close(): void {
    this.#isClosed = true;
    this.#turns.close();
    this.#text?.close();
    this.#emojis.close();
  }

  #seconds(frame: number): number {
    return frame / this.#edit.frameRate;
  }

  #isDrawing: Promise<void> | null = null;

  /** Draws the text of a frame, or of a later one that is asked for meanwhile. */
  #drawText(frame: number): Promise<void> {
    this.#nextText = frame;
    this.#isDrawing ??= this.#drawTexts().finally(() => (this.#isDrawing = null));
    return this.#isDrawing;
  }

  async #drawTexts(): Promise<void> {
    while (this.#text && this.#nextText !== null && !this.#isClosed) {
      const frame = this.#nextText;
      this.#nextText = null;
      const drawn = await this.#text.draw(this.#seconds(frame));
      if (drawn === this.#drawn) continue;
      this.#drawn = drawn;
      this.#paint();
    }
  }

  /** Puts the picture, the text and the emoji together. */
  #paint(): void {
    const video = this.#video;
    if (!video || this.#isClosed) return;
    const { videoWidth: width, videoHeight: height } = video;
    const { frame } = this;
    drawPicture(this.#context, { image: video, width, height }, this.#edit, frame);
    if (this.#text) {
      if (this.#drawn) this.#context.drawImage(this.#drawn.picture, this.#drawn.x, this.#drawn.y);
    } else drawPlainText(this.#context, this.#edit, this.#seconds(frame));
    this.#emojis.draw(this.#context, this.#edit, this.#seconds(frame));
    this.#onDrawn(frame);
  }
}
