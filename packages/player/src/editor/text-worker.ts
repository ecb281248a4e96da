/** Draws captions and title with libass, beside the page's own thread. */
import load, { type Libass, type LibassRenderer } from 'jassub/dist/wasm/jassub-worker.js';
import { blendedText } from './blended-text.ts';
import type { TextAnswer, TextRequest, TextSetting } from './text-protocol.ts';

/** What the compiled code shares with its worker. */
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
  const blended = blendedText(
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

async function obey(request: TextRequest): Promise<void> {
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
  obey(data).catch((error: unknown) => answer({ kind: 'refused', reason: String(error) }));
};
