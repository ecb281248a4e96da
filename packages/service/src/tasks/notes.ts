import { drawingNotes, drawingTools, type Edit } from 'clip-engine';
import type { Note } from 'clip-kit/contract';

/**
 * The clips, each with notes of what of it cannot be drawn here, and `notes` with those of all
 * clips.
 * Throws only the signal's reason.
 */
export async function withNotes<Clip extends { edit: Edit }>(
  clips: readonly Clip[],
  notes: readonly Note[],
  signal: AbortSignal,
): Promise<{ projects: (Clip & { notes: Note[] })[]; notes: Note[] }> {
  const edits = clips.map(({ edit }) => edit);
  const tools = await drawingTools(edits, signal);
  return {
    projects: clips.map((clip) => ({ ...clip, notes: drawingNotes([clip.edit], tools) })),
    notes: [...notes, ...drawingNotes(edits, tools)],
  };
}

/** How the words of a source came about, and what was to be done with them. */
interface WordsMade {
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
export function taskNotes(made: WordsMade): Note[] {
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
        'No words are known of this video, so it has no captions and no title of its own. Put a subtitle file beside it (the same address, ending in .vtt or .srt), or have the service’s operator set a speech model or a speech server.',
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
}
