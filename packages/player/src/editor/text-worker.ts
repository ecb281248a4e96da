/** Draws captions and title with libass, beside the page's own thread. */
import type { Dimensions } from 'clip-engine/drawing';
import load, { type Libass, type LibassRenderer } from 'jassub/dist/wasm/jassub-worker.js';

/** The first message to the worker: settings for drawing text. */
export interface TextSetting {
  /** Size of the picture in pixels. */
  size: Dimensions;
  fonts: readonly Uint8Array<ArrayBuffer>[];
  /** The family of letters that a style's own font does not have. */
  fallbackFont: string;
  /** The ASS document. */
  document: string;
}

export type TextRequest =
  | { kind: 'open'; setting: TextSetting }
  | { kind: 'document'; document: string }
  | { kind: 'draw'; seconds: number };

/** The text of a moment: a picture and its place, or null where there is none. */
export type DrawnText = { picture: ImageBitmap; x: number; y: number } | null;

/** `unchanged`: the text is that of the picture before. */
export type TextAnswer =
  | { kind: 'open' }
  | { kind: 'refused'; reason: string }
  | { kind: 'drawn'; text: DrawnText }
  | { kind: 'unchanged' };

/** The memory that the compiled code shares with its worker. */
declare const self: typeof globalThis & { HEAPU8RAW: Uint8Array };

const answer = (message: TextAnswer, ...moved: Transferable[]): void =>
  self.postMessage(message, { transfer: moved });

function addFonts(libass: Libass, renderer: LibassRenderer, fonts: TextSetting['fonts']): void {
  fonts.forEach((font, index) => {
    const address = libass._malloc(font.byteLength);
    self.HEAPU8RAW.set(font, address);
    renderer.addFont(`font-${index}`, address, font.byteLength);
  });
  renderer.reloadFonts();
}

async function open({ size, fonts, fallbackFont, document }: TextSetting): Promise<LibassRenderer> {
  const libass = await load({ __out: () => {} });
  const renderer = new libass.JASSUB(size.width, size.height, fallbackFont.toLowerCase());
  renderer.setThreads(1);
  addFonts(libass, renderer, fonts);
  renderer.createTrackMem(document);
  renderer.resizeCanvas(size.width, size.height, size.width, size.height);
  return renderer;
}

/** After a new document, the picture is drawn even if libass sees no change. */
let anyway = 0;

async function draw(renderer: LibassRenderer, seconds: number): Promise<void> {
  const images = renderer.rawRender(seconds, anyway);
  anyway = 0;
  if (!images) return answer({ kind: 'unchanged' });
  const blended = mergeMasks(
    images.map(({ w, h, dst_x, dst_y, stride, bitmap, color }) => ({
      ...{ x: dst_x, y: dst_y, width: w, height: h, stride, colour: color },
      cover: self.HEAPU8RAW.subarray(bitmap, bitmap + stride * h),
    })),
  );
  if (!blended) return answer({ kind: 'drawn', text: null });
  const picture = await createImageBitmap(blended.picture);
  answer({ kind: 'drawn', text: { picture, x: blended.x, y: blended.y } }, picture);
}

let opened: Promise<LibassRenderer> | null = null;

async function handleRequest(request: TextRequest): Promise<void> {
  if (request.kind === 'open') {
    opened = open(request.setting);
    await opened;
    return answer({ kind: 'open' });
  }
  const renderer = await opened!;
  if (request.kind === 'draw') return draw(renderer, request.seconds);
  anyway = 1;
  renderer.createTrackMem(request.document);
}

self.onmessage = ({ data }: MessageEvent<TextRequest>) => {
  handleRequest(data).catch((error: unknown) => answer({ kind: 'refused', reason: String(error) }));
};

/** A mask of letters in one colour, as libass draws it. */
export interface TextMask {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Bytes from one line to the next. */
  stride: number;
  /** The coverage of each pixel by letters, from the first byte of the mask on. */
  cover: Uint8Array;
  /** Red, green, blue and transparency, a byte each. */
  colour: number;
}

/** The masks over each other as one picture, just large enough; null if there is nothing to see. */
export function mergeMasks(
  masks: readonly TextMask[],
): { x: number; y: number; picture: ImageData } | null {
  const seen = masks.filter(({ width, height }) => width > 0 && height > 0);
  if (seen.length === 0) return null;
  const left = Math.min(...seen.map(({ x }) => x));
  const top = Math.min(...seen.map(({ y }) => y));
  const width = Math.max(...seen.map((mask) => mask.x + mask.width)) - left;
  const height = Math.max(...seen.map((mask) => mask.y + mask.height)) - top;
  const picture = new ImageData(width, height);
  const pixels = picture.data;
  for (const mask of seen) {
    const [red, green, blue, clear] = [24, 16, 8, 0].map(
      (bits) => (mask.colour >>> bits) & 255,
    ) as [number, number, number, number];
    for (let row = 0; row < mask.height; row++) {
      let from = row * mask.stride;
      let to = 4 * ((mask.y - top + row) * width + mask.x - left);
      for (let column = 0; column < mask.width; column++, from++, to += 4) {
        const over = (mask.cover[from]! * (255 - clear)) / 65025;
        if (over === 0) continue;
        const under = (pixels[to + 3]! / 255) * (1 - over);
        const both = over + under;
        pixels[to] = (red * over + pixels[to]! * under) / both;
        pixels[to + 1] = (green * over + pixels[to + 1]! * under) / both;
        pixels[to + 2] = (blue * over + pixels[to + 2]! * under) / both;
        pixels[to + 3] = both * 255;
      }
    }
  }
  return { x: left, y: top, picture };
}
