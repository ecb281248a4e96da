import { openEmojiFont } from './emoji-font.ts';
import type { Edit } from '../edit.ts';
import type { Note } from '../facts.ts';
import { defaultStyle } from '../style/style.ts';
import type { OwnFont } from './caption-fonts.ts';
import {
  listInstalledFonts,
  findMissingFonts,
  findMissingLetters,
  type InstalledFonts,
} from './letters.ts';

/** The installed fonts for captions, titles and emoji. `fonts` is null if they cannot be listed. */
export interface DrawingTools {
  fonts: InstalledFonts | null;
  emojiFont: boolean;
}

const isWritten = ({ captions, title }: Edit): boolean => captions.length > 0 || title !== null;

const withOwn = (fonts: InstalledFonts | null, own: readonly OwnFont[]): InstalledFonts | null =>
  fonts && {
    ...fonts,
    families: new Set([...fonts.families, ...own.map(({ family }) => family.toLowerCase())]),
  };

/**
 * Finds the installed fonts, as far as the edits need them, beside those that are at hand.
 * @throws only the signal's reason
 */
export const findDrawingTools = async (
  edits: readonly Edit[],
  signal: AbortSignal,
  own: readonly OwnFont[] = [],
): Promise<DrawingTools> => ({
  fonts: edits.some(isWritten) ? withOwn(await listInstalledFonts(signal), own) : null,
  emojiFont: !edits.some(({ emojis }) => emojis.length > 0) || !!(await openEmojiFont()),
});

/** Said of clips whose captions were left out. */
export const sourceCaptionsNote: Note = {
  code: 'source-captions',
  message: 'The video has captions of its own in the picture, so no others were added.',
};

/**
 * Lists the parts of these edits that cannot be drawn as requested: one note for each kind of
 * problem.
 */
export function listDrawingNotes(
  edits: readonly Edit[],
  { fonts, emojiFont }: DrawingTools,
): Note[] {
  const notes: Note[] = [];
  const written = fonts ? edits.filter(isWritten) : [];
  const letters = new Set(
    fonts && written.flatMap((edit) => findMissingLetters(edit, fonts.letters)),
  );
  if (letters.size > 0) {
    const some = [...letters].slice(0, 20).join('');
    notes.push({
      code: 'letters-missing',
      message: `No installed font has the letters ${some} of the captions or the title, so they are drawn as boxes. Ask the service’s operator to install a font that has them, such as fonts-noto-core or fonts-noto-cjk.`,
    });
  }
  const names = new Set(
    fonts && written.flatMap(({ style }) => findMissingFonts(style ?? defaultStyle, fonts)),
  );
  if (names.size > 0) {
    notes.push({
      code: 'font-missing',
      message: `The style’s font ${[...names].join(' and ')} is not installed, so another font is used. Ask the service’s operator to install it, or choose another style.`,
    });
  }
  if (!emojiFont && edits.some(({ emojis }) => emojis.length > 0)) {
    notes.push({
      code: 'emoji-font-missing',
      message:
        'No font with colour emoji is installed, so the captions have no emoji. Ask the service’s operator to install fonts-noto-color-emoji.',
    });
  }
  if (edits.some(({ sourceCaptions }) => sourceCaptions)) notes.push(sourceCaptionsNote);
  return notes;
}
