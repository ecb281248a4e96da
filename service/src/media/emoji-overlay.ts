import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dimensions } from 'clip-kit/contract';
import { EmojiFont } from './emoji-font.ts';
import { emojiPlace } from './emoji-place.ts';
import type { Overlay } from './filter-graph.ts';
import { pngSize } from './image-info.ts';
import type { Plan } from './plan.ts';
import { defaultStyle } from './style.ts';

/** Where distributions put the font. */
const fontPaths = [
  '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf',
];

async function openFont(paths: readonly string[]): Promise<EmojiFont | null> {
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
export const emojiFontIsThere = async (paths: readonly string[] = fontPaths): Promise<boolean> =>
  (await openFont(paths)) !== null;

/**
 * Writes the pictures of the plan's emoji to `directory` (one a kind) and says where they are laid and when.
 * None where no colour emoji font is installed, and none for an emoji that the font lacks.
 */
export async function prepareEmojis(
  plan: Plan,
  size: Dimensions,
  options: { directory: string; firstInput: number; fonts?: readonly string[] },
): Promise<{ images: string[]; overlays: Overlay[] }> {
  const images: string[] = [];
  const overlays: Overlay[] = [];
  const font = plan.emojis.length > 0 ? await openFont(options.fonts ?? fontPaths) : null;
  if (!font) return { images, overlays };
  for (const emoji of new Set(plan.emojis.map((cue) => cue.emoji))) {
    const png = font.png(emoji);
    const shape = png ? pngSize(png) : null;
    if (!png || !shape) continue;
    const path = join(options.directory, `emoji-${images.length}.png`);
    await writeFile(path, png);
    const cues = plan.emojis.filter((cue) => cue.emoji === emoji);
    for (const position of new Set(cues.map((cue) => cue.position))) {
      overlays.push({
        input: options.firstInput + images.length,
        ...emojiPlace(shape, size, plan.style ?? defaultStyle, position),
        during: cues.filter((cue) => cue.position === position),
      });
    }
    images.push(path);
  }
  return { images, overlays };
}
