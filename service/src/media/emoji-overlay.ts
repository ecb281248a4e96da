import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dimensions } from 'clip-kit/contract';
import { captionStyle } from './caption-style.ts';
import { EmojiFont } from './emoji-font.ts';
import type { Overlay } from './filter-graph.ts';
import { pngSize } from './image-info.ts';
import type { Plan } from './plan.ts';

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

/** Emoji stand over the middle of the captions, above their first line; a picture's shape is kept. */
function place(image: Dimensions, size: Dimensions): Pick<Overlay, 'x' | 'y' | 'width' | 'height'> {
  const style = captionStyle(size);
  const height = Math.max(2, Math.round(style.captionSize * 1.8));
  const width = Math.max(2, Math.round((height * image.width) / image.height));
  return {
    x: Math.round((size.width - width) / 2),
    y: Math.max(
      0,
      size.height - style.captionMargin - Math.round(style.captionSize * 1.6) - height,
    ),
    width,
    height,
  };
}

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
    overlays.push({
      input: options.firstInput + images.length,
      ...place(shape, size),
      during: plan.emojis.filter((cue) => cue.emoji === emoji),
    });
    images.push(path);
  }
  return { images, overlays };
}
