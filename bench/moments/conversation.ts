import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Analysis, Sentence, Word } from '../../packages/engine/src/facts.ts';
import { parseSubtitles } from '../../packages/engine/src/words/subtitles.ts';
import {
  splitSentences,
  makeTranscript,
  type SentenceCues,
} from '../../packages/engine/src/words/transcript.ts';
import { splitWords } from '../../packages/engine/src/words/word-text.ts';

/**
 * What the subtitles of a conversation are like: with marks of who speaks, without them, or as
 * automatic captions are (small letters, no stops, cues of three seconds).
 */
export const captionKinds = ['marked', 'plain', 'raw'] as const;
export type CaptionKind = (typeof captionKinds)[number];

/** A word as it was said. `opensTurn` is what really happened, whatever the subtitles show. */
interface SpokenWord extends Word {
  person: string;
}

/** A real conversation, and when people laughed in it (seconds). */
export interface Conversation {
  name: string;
  /** What the engine sees. */
  analysis: Analysis;
  laughs: number[];
  words: SpokenWord[];
  sentences: Sentence[];
}

/** Seconds of a pause between two turns, if the subtitles mark them. */
const turnPauseSeconds = 0.5;

/** Without marks a pause tells nothing of who speaks: all sentences end in one. */
const sentencePauseSeconds = { min: 0.1, range: 0.8 };

/** A plausible time for a word, since the transcripts have no times. */
const wordSeconds = (word: string): number => 0.12 + 0.045 * word.length;

/** Random numbers 0 to 1, the same ones each time. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

/**
 * Reads a transcript in Markdown: `**Speaker:** words \[laughter\]`. The marks become times of
 * laughter and are removed from the words, so that nothing gives them away.
 */
function readSpoken(markdown: string, captions: CaptionKind) {
  const words: SpokenWord[] = [];
  const laughs: number[] = [];
  const random = dice(markdown.length);
  let time = 0;
  let person = '';
  for (const line of markdown.split('\n')) {
    const said = /^(?:\*\*([^*]+):\*\*)?(.*)$/.exec(line)!;
    if (!said[2]!.trim()) continue;
    person = said[1] ?? person;
    let first = true;
    for (const part of said[2]!.split(/(\\?\[[^\]]*\])/)) {
      if (/^\\?\[/.test(part)) {
        if (/laugh/i.test(part)) laughs.push(time);
        continue;
      }
      for (const text of splitWords(part.replace(/[*_`]/g, ''))) {
        if (first && captions === 'marked') time += turnPauseSeconds;
        const end = time + wordSeconds(text) - 0.02;
        // Who goes on after another one only laughed has not changed.
        const opensTurn = words.at(-1)?.person !== person;
        words.push({ text, start: time, end, person, ...(opensTurn && { opensTurn }) });
        time = end + 0.02;
        if (captions !== 'marked' && /[.?!…]$/.test(text)) {
          time += sentencePauseSeconds.min + sentencePauseSeconds.range * random();
        }
        first = false;
      }
    }
  }
  return { words, laughs, duration: time };
}

/** As automatic captions write a word. */
const rawText = (text: string): string =>
  text.toLowerCase().replace(/[^\p{L}\p{N}'’-]|^[-'’]+|[-'’]+$/gu, '');

const rawCueSeconds = 3;
const cueWords = 12;

const clock = (seconds: number): string =>
  new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** A subtitle file, as people have it: the engine reads it with its own parser. */
function webVttOf(words: readonly SpokenWord[], captions: CaptionKind): string {
  const raw = captions === 'raw';
  const groups: SpokenWord[][] = [];
  let group: SpokenWord[] = [];
  for (const word of words) {
    const full = raw
      ? group.length > 0 && word.end - group[0]!.start > rawCueSeconds
      : group.length >= cueWords || /[.?!]$/.test(group.at(-1)?.text ?? '');
    if (group.length === 0 || full || (captions === 'marked' && word.opensTurn)) {
      group = [];
      groups.push(group);
    }
    group.push(word);
  }
  const cues = groups.map((held) => {
    const text = held.map((word) => (raw ? rawText(word.text) : escaped(word.text))).join(' ');
    const voice = captions === 'marked' ? `<v ${held[0]!.person}>` : '';
    return `${clock(held[0]!.start)} --> ${clock(held.at(-1)!.end)}\n${voice}${text}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

export async function readConversation(
  name: string,
  markdown: string,
  captions: CaptionKind = 'marked',
  sentenceCues?: SentenceCues,
): Promise<Conversation> {
  const { words, laughs, duration } = readSpoken(markdown, captions);
  const cues = await parseSubtitles(webVttOf(words, captions));
  return {
    name,
    laughs,
    words,
    sentences: splitSentences(words, 'en'),
    analysis: {
      duration,
      media: {
        ...{ duration, width: 1920, height: 1080, frameRate: 30, hasAudio: false },
        ...{ videoCodec: 'none', audioCodec: null },
      },
      silences: [],
      cuts: [],
      loudness: { step: 0.5, values: [] },
      focus: [],
      transcript: makeTranscript(cues, { silences: [], duration, language: 'en' }, sentenceCues),
    },
  };
}

/**
 * Reads all conversations of a folder. `cuesOf` is what tells the sentences in raw captions, by the
 * place in the list.
 */
export function readConversations(
  directory: string,
  captions: CaptionKind = 'marked',
  cuesOf?: (index: number) => SentenceCues,
): Promise<Conversation[]> {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted();
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  return Promise.all(
    files.map((file, index) => readConversation(file, read(file), captions, cuesOf?.(index))),
  );
}
