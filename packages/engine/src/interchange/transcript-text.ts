import type { Edit } from '../edit.ts';
import type { Word } from '../facts.ts';
import { joinWords } from '../words/word-text.ts';
import { clipWords } from './clip-words.ts';

/** A pause of this length begins a line where the words have no stops. */
const lineSeconds = 1.2;

const endsSentence = /[.!?…。！？؟]["'”’»」』)\]]*$/u;

/** The words of a clip as plain text, a sentence a line. */
export function transcriptText(edit: Edit): string {
  const lines: Word[][] = [];
  let last: Word | undefined;
  for (const word of clipWords(edit)) {
    const isNew = !last || endsSentence.test(last.text) || word.start - last.end >= lineSeconds;
    if (isNew) lines.push([word]);
    else lines.at(-1)!.push(word);
    last = word;
  }
  return lines.map((words) => `${joinWords(words.map(({ text }) => text))}\n`).join('');
}
