/**
 * Reads a subtitle file in a process of its own. Arguments: `words`, or `check` for the first cue
 * only; the file's path; the language to take (BCP 47), if it is known. Answers: parts of the cues,
 * then the language; or why there are none.
 */
import {
  detectSubtitleLanguage,
  readSubtitleText,
  UnreadableText,
} from '../words/subtitle-text.ts';
import { type Cue, parseSubtitles, TooManyWords } from '../words/subtitles.ts';

export type SubtitleAnswer =
  | { cues: Cue[] }
  | { language: string | null }
  | { fault: 'unreadable' | 'too-many-words'; message: string };

/** Cues of a line: the process that reads it does other work between lines. */
const atATime = 500;

const answer = (value: SubtitleAnswer): unknown =>
  process.stdout.write(`${JSON.stringify(value)}\n`);

const [wanted, path = '', language = null] = process.argv.slice(2);
try {
  const text = await readSubtitleText(path, language);
  const cues = await parseSubtitles(text, language);
  if (wanted === 'check') answer({ cues: cues.slice(0, 1) });
  else {
    for (let at = 0; at < cues.length; at += atATime)
      answer({ cues: cues.slice(at, at + atATime) });
    answer({ language: language ?? (await detectSubtitleLanguage(text, cues)) });
  }
} catch (error) {
  const fault =
    error instanceof UnreadableText
      ? 'unreadable'
      : error instanceof TooManyWords
        ? 'too-many-words'
        : null;
  if (fault === null) throw error;
  answer({ fault, message: (error as Error).message });
}
