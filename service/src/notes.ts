import type { Note } from 'clip-kit/contract';
import { emojiFontIsThere } from './media/emoji-overlay.ts';
import {
  installedFonts,
  missingFonts,
  missingLetters,
  type InstalledFonts,
} from './media/letters.ts';
import type { Plan } from './media/plan.ts';
import { defaultStyle } from './media/style.ts';

/** What is installed for captions, titles and emoji; `fonts` is null where nothing can tell. */
export interface DrawingTools {
  fonts: InstalledFonts | null;
  emojiFont: boolean;
}

const isWritten = ({ captions, title }: Plan): boolean => captions.length > 0 || title !== null;

/** Looks what is installed, as far as the plans need any of it. Throws only the signal's reason. */
export const drawingTools = async (
  plans: readonly Plan[],
  signal: AbortSignal,
): Promise<DrawingTools> => ({
  fonts: plans.some(isWritten) ? await installedFonts(signal) : null,
  emojiFont: !plans.some(({ emojis }) => emojis.length > 0) || (await emojiFontIsThere()),
});

/** What of the plans cannot be drawn as it is written, with the tools that there are: each kind once. */
export const drawingNotes = (
  plans: readonly Plan[],
  { fonts, emojiFont }: DrawingTools,
): Note[] => {
  const notes: Note[] = [];
  const written = fonts ? plans.filter(isWritten) : [];
  const letters = new Set(fonts && written.flatMap((plan) => missingLetters(plan, fonts.letters)));
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
  if (!emojiFont && plans.some(({ emojis }) => emojis.length > 0)) {
    notes.push({
      code: 'emoji-font-missing',
      message:
        'No font with coloured emoji is installed, so the captions have none. The service’s operator installs fonts-noto-color-emoji.',
    });
  }
  return notes;
};

/** Clips with the notes of what of each cannot be drawn here, and `notes` with those of all of them. Throws only the signal's reason. */
export const withNotes = async <Clip extends { plan: Plan }>(
  clips: readonly Clip[],
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<{ projects: (Clip & { notes: Note[] })[]; notes: Note[] }> => {
  const plans = clips.map(({ plan }) => plan);
  const tools = await drawingTools(plans, signal);
  return {
    projects: clips.map((clip) => ({ ...clip, notes: drawingNotes([clip.plan], tools) })),
    notes: [...notes, ...drawingNotes(plans, tools)],
  };
};

/** How the words of a source came about, and what was to be done with them. */
export interface WordsMade {
  /** Names of the providers of words that failed. */
  failed: readonly string[];
  /** Whether something is said, as far as is known. */
  words: boolean;
  /** Whether captions or a title of the own words were asked for. */
  wanted: boolean;
  translateTo: string | undefined;
  /** Whether there was speech in what is shown, to be translated. */
  spoken: boolean;
  rankingFailed: boolean;
}

/** What of a task could not be done as it was asked. */
export const taskNotes = (made: WordsMade): Note[] => {
  const notes: Note[] = [];
  for (const provider of made.failed) {
    notes.push({
      code: 'transcriber-failed',
      message: `What gives words to speech failed (${provider}). The service’s log says why; a new task asks it again.`,
    });
  }
  if (!made.words && made.wanted) {
    notes.push({
      code: 'no-words',
      message:
        'No words are known of this video, so it has no captions and no title of its own. Put a subtitle file beside it (the same address, ending in .vtt or .srt), or have the service’s operator set a speech server.',
    });
  }
  if (made.translateTo !== undefined && !made.spoken) {
    notes.push({
      code: 'nothing-to-translate',
      message: `Nothing was translated to ${made.translateTo}, as no words are known of what is shown.`,
    });
  }
  if (made.rankingFailed) {
    notes.push({
      code: 'ranking-failed',
      message:
        'The language model that helps to choose clips failed, so the engine chose them alone. The service’s log says why.',
    });
  }
  return notes;
};
