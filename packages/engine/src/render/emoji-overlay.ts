import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dimensions, Edit } from '../edit.ts';
import { openEmojiFont } from '../captions/emoji-font.ts';
import { emojiPlace } from '../captions/caption-layout.ts';
import type { Overlay } from './filter-graph.ts';
import { pngSize } from '../source/image-info.ts';
import { defaultStyle } from '../style/style.ts';

/**
 * Writes one picture per emoji of the edit to `directory`, and returns where and when to overlay
 * them. Emoji without an installed font, or that the font does not have, are omitted.
 */
export async function prepareEmojis(
  edit: Edit,
  size: Dimensions,
  options: { directory: string; firstInput: number; fonts?: readonly string[] },
): Promise<{ images: string[]; overlays: Overlay[] }> {
  const images: string[] = [];
  const overlays: Overlay[] = [];
  const font = edit.emojis.length > 0 ? await openEmojiFont(options.fonts) : null;
  if (!font) return { images, overlays };
  for (const emoji of new Set(edit.emojis.map((cue) => cue.emoji))) {
    const png = font.png(emoji);
    const shape = png ? pngSize(png) : null;
    if (!png || !shape) continue;
    const path = join(options.directory, `emoji-${images.length}.png`);
    await writeFile(path, png);
    const cues = edit.emojis.filter((cue) => cue.emoji === emoji);
    for (const position of new Set(cues.map((cue) => cue.position))) {
      overlays.push({
        input: options.firstInput + images.length,
        ...emojiPlace(shape, size, edit.style ?? defaultStyle, position),
        during: cues.filter((cue) => cue.position === position),
      });
    }
    images.push(path);
  }
  return { images, overlays };
}
