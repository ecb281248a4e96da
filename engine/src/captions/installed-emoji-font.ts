import { readFile } from 'node:fs/promises';
import { EmojiFont } from './emoji-font.ts';

/** Where distributions put the font. */
const fontPaths = [
  '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf',
];

/** The first colour emoji font that is installed and can be read, or null. */
export async function openEmojiFont(
  paths: readonly string[] = fontPaths,
): Promise<EmojiFont | null> {
  for (const path of paths) {
    try {
      return new EmojiFont(await readFile(path));
    } catch {
      // Not installed here, or no such font: the next place.
    }
  }
  return null;
}

/** Whether a colour emoji font that can be read is installed. */
export const emojiFontIsThere = async (paths?: readonly string[]): Promise<boolean> =>
  (await openEmojiFont(paths)) !== null;
