/** The clip of an edit as its export will look, drawn in the page. */
import {
  writeAssDocument,
  defaultStyle,
  type Dimensions,
  type Edit,
  placeEmoji,
} from 'clip-engine/drawing';
import { drawPlainText } from './plain-text.ts';

export { drawPlainText };
import { drawPicture } from './picture.ts';
import type { DrawnText, TextAnswer, TextRequest, TextSetting } from './text-worker.ts';
import { LiveSound, type LoadMusic } from './live-sound.ts';
import { type ProxyVideo, DoubleBufferedPlayer } from './double-buffered-player.ts';

interface Fonts {
  files: readonly Uint8Array<ArrayBuffer>[];
  /** The family of letters that a style's own font does not have. */
  fallback: string;
}

export interface LiveOptions {
  /** The canvas; its size in pixels is that of the drawing. */
  canvas: HTMLCanvasElement;
  /** Need not be in the document. */
  videos: readonly [HTMLVideoElement, HTMLVideoElement];
  /** Shows the segment. From another origin, it must allow this one to read it. */
  proxy: ProxyVideo;
  edit: Edit;
  /** The fonts that the export uses. */
  fonts: Fonts;
  loadEmoji: LoadEmoji;
  loadMusic: LoadMusic;
  /** Called after each picture on the canvas, with its frame of the output. */
  onDrawn?: (frame: number) => void;
}

/** The script is beside this one. Not written as one expression: the bundler would copy it. */
const here = import.meta.url;
const workerScript = new URL('text-worker.js', here);

/** Null where WebAssembly is refused. */
export const openText = (
  edit: Edit,
  { width, height }: Dimensions,
  { files, fallback }: Fonts,
): Promise<TextLayer | null> =>
  TextLayer.open({
    size: { width, height },
    fonts: files,
    fallbackFont: fallback,
    document: writeAssDocument(edit),
  }).catch(() => null);

/** An edit, drawn live. */
export class LiveDrawing {
  readonly #context: CanvasRenderingContext2D;
  readonly #player: DoubleBufferedPlayer;
  /** Null where WebAssembly is refused. */
  #text: TextLayer | null = null;
  #fonts: Fonts;
  readonly #emojis: EmojiPictures;
  readonly #onDrawn: (frame: number) => void;
  #edit: Edit;
  #drawn: DrawnText = null;
  #video: HTMLVideoElement | null = null;
  /** The frame whose text is to be drawn when the one that is being drawn is done. */
  #nextText: number | null = null;
  #isClosed = false;

  private constructor(options: LiveOptions) {
    this.#context = options.canvas.getContext('2d', { alpha: false })!;
    this.#edit = options.edit;
    this.#fonts = options.fonts;
    this.#emojis = new EmojiPictures(options.loadEmoji);
    this.#onDrawn = options.onDrawn ?? (() => {});
    this.#player = new DoubleBufferedPlayer(
      options.videos,
      options.proxy,
      options.edit,
      new LiveSound(options.loadMusic),
      (video, frame) => {
        this.#video = video;
        void this.#drawText(frame);
        this.#paint();
      },
    );
  }

  /** Creates a drawing, which stays empty until the first call of `seek`. */
  static async create(options: LiveOptions): Promise<LiveDrawing> {
    const { edit, canvas, fonts } = options;
    // The videos load meanwhile.
    const live = new LiveDrawing(options);
    [live.#text] = await Promise.all([openText(edit, canvas, fonts), live.#emojis.prepare(edit)]);
    return live;
  }

  /** Switches to another video of the segment, at the same position. */
  async setProxy(proxy: ProxyVideo): Promise<void> {
    this.#player.proxy = proxy;
    await this.seek(this.#player.frame);
  }

  /** Whether the text only looks about as it will: the browser draws it, not libass. */
  get isApproximate(): boolean {
    return this.#text === null;
  }

  get frame(): number {
    return this.#player.frame;
  }

  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  set isMuted(isMuted: boolean) {
    this.#player.isMuted = isMuted;
  }

  /**
   * Draws a changed edit, at the same place. What was drawn stays until then.
   * @param size of the drawing in pixels, if it is another
   * @param fonts if others are needed
   */
  async change(
    edit: Edit,
    { size, fonts }: { size?: Dimensions; fonts?: Fonts | undefined } = {},
  ): Promise<void> {
    const { canvas } = this.#context;
    const { width, height } = size ?? canvas;
    const isResized = width !== canvas.width || height !== canvas.height;
    this.#fonts = fonts ?? this.#fonts;
    const [text] = await Promise.all([
      fonts || isResized ? openText(edit, { width, height }, this.#fonts) : this.#text,
      this.#emojis.prepare(edit),
    ]);
    const cuts = (one: Edit) => JSON.stringify([one.ranges, one.frameRate]);
    const hasOtherCuts = cuts(edit) !== cuts(this.#edit);
    if (text === this.#text) {
      if (text) text.document = writeAssDocument(edit);
    } else {
      const first = (await text?.draw(this.#getSeconds(this.#player.frame))) ?? null;
      this.#text?.close();
      if (this.#isClosed) return text?.close();
      [this.#text, this.#drawn] = [text, first];
    }
    this.#edit = edit;
    this.#player.edit = edit;
    if (isResized) {
      Object.assign(canvas, { width, height });
      this.#paint();
    }
    if (hasOtherCuts) return this.seek(this.#player.frame);
    await this.#drawText(this.#player.frame);
    this.#paint();
  }

  /** Resolves when the frame is drawn, with its text. */
  async seek(frame: number): Promise<void> {
    await this.#player.seek(frame);
    await this.#drawText(this.#player.frame);
    this.#paint();
  }

  play(): Promise<void> {
    return this.#player.play();
  }

  pause(): void {
    this.#player.pause();
  }

  close(): void {
    this.#isClosed = true;
    this.#player.close();
    this.#text?.close();
    this.#emojis.close();
  }

  #getSeconds(frame: number): number {
    return frame / this.#edit.frameRate;
  }

  #isDrawing: Promise<void> | null = null;

  /** Draws the text of a frame, or of a later one if that is requested meanwhile. */
  #drawText(frame: number): Promise<void> {
    this.#nextText = frame;
    this.#isDrawing ??= this.#drawTexts().finally(() => (this.#isDrawing = null));
    return this.#isDrawing;
  }

  async #drawTexts(): Promise<void> {
    while (this.#text && this.#nextText !== null && !this.#isClosed) {
      const text = this.#text;
      const frame = this.#nextText;
      this.#nextText = null;
      const drawn = await text.draw(this.#getSeconds(frame));
      if (text !== this.#text || drawn === this.#drawn) continue;
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
    } else drawPlainText(this.#context, this.#edit, this.#getSeconds(frame));
    this.#emojis.draw(this.#context, this.#edit, this.#getSeconds(frame));
    this.#onDrawn(frame);
  }
}

/** The picture of an emoji; null if there is none. */
export type LoadEmoji = (emoji: string) => Promise<ImageBitmap | null>;

/** The emoji of an edit, over its captions. */
export class EmojiPictures {
  readonly #load: LoadEmoji;
  readonly #pictures = new Map<string, ImageBitmap | null>();

  constructor(load: LoadEmoji) {
    this.#load = load;
  }

  /** Loads those that are not there yet. */
  async prepare({ emojis }: Edit): Promise<void> {
    const wanted = new Set(emojis.map(({ emoji }) => emoji));
    await Promise.all(
      [...wanted]
        .filter((emoji) => !this.#pictures.has(emoji))
        .map(async (emoji) => {
          // Without a connection it is tried again.
          const picture = await this.#load(emoji).catch(() => undefined);
          if (picture !== undefined) this.#pictures.set(emoji, picture);
        }),
    );
  }

  draw(context: CanvasRenderingContext2D, edit: Edit, seconds: number): void {
    const { emojis, style = defaultStyle } = edit;
    const output: Dimensions = context.canvas;
    for (const { emoji, start, end, position } of emojis) {
      const picture = this.#pictures.get(emoji);
      if (!picture || seconds < start || seconds > end) continue;
      const { x, y, width, height } = placeEmoji(picture, output, style, position);
      context.drawImage(picture, x, y, width, height);
    }
  }

  close(): void {
    for (const picture of this.#pictures.values()) picture?.close();
  }
}

/**
 * The text of an edit, drawn by libass in a worker. Where WebAssembly is refused, it does not open.
 */
export class TextLayer {
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<TextAnswer> | null = null;
  #shown: DrawnText = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<TextAnswer>) => this.#waiting?.resolve(data);
    worker.onerror = ({ message }) => this.#waiting?.reject(new Error(message));
  }

  /** @throws Error if the browser, or the page's policy, does not run it */
  static async open(setting: TextSetting): Promise<TextLayer> {
    const layer = new TextLayer(new Worker(workerScript, { type: 'module', name: 'text' }));
    try {
      await layer.#request({ kind: 'open', setting });
      return layer;
    } catch (error) {
      layer.close();
      throw error;
    }
  }

  async #request(request: TextRequest): Promise<TextAnswer> {
    this.#waiting = Promise.withResolvers();
    this.#send(request);
    const answer = await this.#waiting.promise;
    this.#waiting = null;
    if (answer.kind === 'refused') throw new Error(answer.reason);
    return answer;
  }

  #send(request: TextRequest): void {
    this.#worker.postMessage(request);
  }

  set document(document: string) {
    this.#send({ kind: 'document', document });
  }

  /** The text at a moment of the output, until it is drawn again. One picture at a time. */
  async draw(seconds: number): Promise<DrawnText> {
    const answer = await this.#request({ kind: 'draw', seconds });
    if (answer.kind === 'drawn') {
      this.#shown?.picture.close();
      this.#shown = answer.text;
    }
    return this.#shown;
  }

  close(): void {
    this.#worker.terminate();
    // A picture that is being drawn does not come any more.
    this.#waiting?.resolve({ kind: 'unchanged' });
    this.#shown?.picture.close();
  }
}
