import type { ClipCreate } from '../../src/define/clip-create.ts';
import { until } from './browser-world.ts';

/** A file of this size, in which each byte differs from its neighbours. */
export function fileOf(bytes: number, name = 'talk.mp4', lastModified = 1_700_000_000_000): File {
  const data = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 1024) data[at] = at / 1024;
  return new File([data], name, { type: 'video/mp4', lastModified });
}

/** A sound of this length, which browsers take for a video without a picture. */
export function soundOf(seconds: number, name = 'talk.mkv'): File {
  // The least that Chromium plays.
  const rate = 3000;
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, word: string) =>
    [...word].forEach((letter, index) => header.setUint8(at + index, letter.charCodeAt(0)));
  text(0, 'RIFF');
  header.setUint32(4, 36 + rate * seconds, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  text(36, 'data');
  header.setUint32(40, rate * seconds, true);
  const silence = new Uint8Array(rate * seconds).fill(128);
  return new File([header.buffer, silence], name, { type: 'audio/wav' });
}

/**
 * Chooses a sound until the element knows its length: WebKitGTK fails to open one in five of those
 * that last for some minutes.
 */
export async function chooseSound(
  element: ClipCreate,
  seconds: number,
  isKnown: () => boolean,
): Promise<void> {
  let chosenMs = 0;
  await until(() => {
    if (isKnown()) return true;
    if (performance.now() - chosenMs < 3000) return false;
    element.shadowRoot!.querySelector<HTMLElement>('.remove')?.click();
    chosenMs = performance.now();
    void element.choose([soundOf(seconds)]);
    return false;
  });
}
