import { readFile } from 'node:fs/promises';
import { EmojiFont } from './emoji-font.ts';

/** Where Linux distributions install the font. */
const fontPaths = [
  '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf',
];

/** Opens the first colour emoji font that is installed and readable, or null. */
export async function openEmojiFont(
  paths: readonly string[] = fontPaths,
): Promise<EmojiFont | null> {
  for (const path of paths) {
    try {
      return new EmojiFont(await readFile(path));
    } catch {
      // Not installed here, or not readable: try the next path.
    }
  }
  return null;
}

/** Whether a readable colour emoji font is installed. */
export const emojiFontIsThere = async (paths?: readonly string[]): Promise<boolean> =>
  (await openEmojiFont(paths)) !== null;
