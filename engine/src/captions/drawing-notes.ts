import { emojiFontIsThere } from './installed-emoji-font.ts';
import type { Edit } from '../edit.ts';
import { defaultStyle } from '../style/style.ts';
import { installedFonts, missingFonts, missingLetters, type InstalledFonts } from './letters.ts';

/** What could not be done as it was asked. */
export interface Note {
  code: string;
  message: string;
}

/** What is installed for captions, titles and emoji; `fonts` is null where nothing can tell. */
export interface DrawingTools {
  fonts: InstalledFonts | null;
  emojiFont: boolean;
}

const isWritten = ({ captions, title }: Edit): boolean => captions.length > 0 || title !== null;

/** Looks what is installed, as far as the edits need any of it. Throws only the signal's reason. */
export const drawingTools = async (
  edits: readonly Edit[],
  signal: AbortSignal,
): Promise<DrawingTools> => ({
  fonts: edits.some(isWritten) ? await installedFonts(signal) : null,
  emojiFont: !edits.some(({ emojis }) => emojis.length > 0) || (await emojiFontIsThere()),
});

/** What of the edits cannot be drawn as it is written, with the tools that there are: each kind once. */
export const drawingNotes = (
  edits: readonly Edit[],
  { fonts, emojiFont }: DrawingTools,
): Note[] => {
  const notes: Note[] = [];
  const written = fonts ? edits.filter(isWritten) : [];
  const letters = new Set(fonts && written.flatMap((edit) => missingLetters(edit, fonts.letters)));
  if (letters.size > 0) {
    const some = [...letters].slice(0, 20).join('');
    notes.push({
      code: 'letters-missing',
      message: `No installed font has the letters ${some} of captions or title, so they are drawn as boxes. The service’s operator installs a font that has them, such as fonts-noto-core or fonts-noto-cjk.`,
    });
  }
  const names = new Set(
    fonts && written.flatMap(({ style }) => missingFonts(style ?? defaultStyle, fonts)),
  );
  if (names.size > 0) {
    notes.push({
      code: 'font-missing',
      message: `The style’s font ${[...names].join(' and ')} is not installed, so another one stands in for it. The service’s operator installs it, or another style is chosen.`,
    });
  }
  if (!emojiFont && edits.some(({ emojis }) => emojis.length > 0)) {
    notes.push({
      code: 'emoji-font-missing',
      message:
        'No font with coloured emoji is installed, so the captions have none. The service’s operator installs fonts-noto-color-emoji.',
    });
  }
  return notes;
};
