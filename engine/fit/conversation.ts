import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Analysis, Word } from '../src/facts.ts';
import { splitWords } from '../src/words/word-text.ts';
import { sentencesOf } from '../src/words/transcript.ts';

/** A real conversation, and when people laughed in it (seconds). */
export interface Conversation {
  name: string;
  analysis: Analysis;
  laughs: number[];
  /** The speaker of each word of the transcript. */
  speakers: string[];
}

/** Seconds of a pause between two turns. */
const turnPauseSeconds = 0.5;

/** A plausible time for a word, since the transcripts have no times. */
const wordSeconds = (word: string): number => 0.12 + 0.045 * word.length;

/**
 * Reads a transcript in Markdown: `**Speaker:** words \[laughter\]`. The marks become times of
 * laughter and are removed from the words, so that nothing gives them away.
 */
export function readConversation(name: string, markdown: string): Conversation {
  const words: Word[] = [];
  const speakers: string[] = [];
  const laughs: number[] = [];
  let time = 0;
  let speaker = '';
  for (const line of markdown.split('\n')) {
    const said = /^(?:\*\*([^*]+):\*\*)?(.*)$/.exec(line)!;
    if (!said[2]!.trim()) continue;
    const opens = said[1] !== undefined && said[1] !== speaker;
    speaker = said[1] ?? speaker;
    let first = true;
    for (const part of said[2]!.split(/(\\?\[[^\]]*\])/)) {
      if (/^\\?\[/.test(part)) {
        if (/laugh/i.test(part)) laughs.push(time);
        continue;
      }
      for (const text of splitWords(part.replace(/[*_`]/g, ''))) {
        if (first) time += turnPauseSeconds;
        const seconds = wordSeconds(text);
        const opensTurn = first && opens;
        words.push({
          text,
          start: time,
          end: time + seconds - 0.02,
          ...(opensTurn && { opensTurn }),
        });
        speakers.push(speaker);
        time += seconds;
        first = false;
      }
    }
  }
  return {
    name,
    laughs,
    speakers,
    analysis: {
      duration: time,
      media: {
        duration: time,
        width: 1920,
        height: 1080,
        frameRate: 30,
        hasAudio: false,
        videoCodec: 'none',
        audioCodec: null,
      },
      silences: [],
      cuts: [],
      loudness: { step: 0.5, values: [] },
      focus: [],
      transcript: { language: 'en', words, sentences: sentencesOf(words, 'en') },
    },
  };
}

/** Fewer laughs say nothing about a conversation. */
const minLaughs = 5;
const minSeconds = 900;

/** All conversations of a folder that are long enough and have marks of laughter. */
export function readConversations(directory: string): Conversation[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted()
    .map((file) => readConversation(file, readFileSync(join(directory, file), 'utf8')))
    .filter(
      ({ laughs, analysis }) => laughs.length >= minLaughs && analysis.duration >= minSeconds,
    );
}
