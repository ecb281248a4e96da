import type { Span, Word } from '../../facts.ts';
import { wordsOfTokens, type Token } from '../token-words.ts';
import type { Said } from './recognise.ts';

const broken = /\ufffd/;

/**
 * The tokens with whole letters. A letter can be split between two tokens; the whole text has it.
 */
function wholeTokens({ result, segments }: Said): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let index = 0; index < segments.length; index++) {
    const first = segments[index]!;
    let last = first;
    let { text } = first;
    if (broken.test(text)) {
      while (index + 1 < segments.length && broken.test(segments[index + 1]!.text)) {
        last = segments[++index]!;
      }
      const next = segments[index + 1]?.text;
      const end = next === undefined ? result.length : result.indexOf(next, at);
      text = end < 0 ? '' : result.slice(at, end);
    }
    at += text.length;
    if (text) tokens.push({ text, start: first.t0 / 1000, end: last.t1 / 1000 });
  }
  return tokens;
}

const pairs: Readonly<Record<string, string>> = { '[': ']', '(': ')', '*': '*', '♪': '♪' };

/** Longer passages in brackets are speech. */
const maxAsideWords = 8;

/** Removes what is not said: `[BLANK_AUDIO]`, `(audience laughing)`, `*sighs*`, `♪ la la ♪`. */
function withoutAsides(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const close = pairs[tokens[index]!.text.trim()[0] ?? ''];
    const rest = tokens.slice(index, index + 6 * maxAsideWords);
    const length = rest.findIndex(({ text }, place) =>
      (place === 0 ? text.trim().slice(1) : text).includes(close ?? '\0'),
    );
    if (length >= 0) index += length;
    else kept.push(tokens[index]!);
  }
  return kept;
}

/** A recogniser invents words in a pause of this length (“Thank you for watching”). */
const minPauseSeconds = 1.5;
/** Words this close to the end of a pause are only badly timed. */
const slackSeconds = 0.4;

const isInvented = ({ start, end }: Word, pauses: readonly Span[]): boolean =>
  pauses.some(
    (pause) =>
      pause.end - pause.start >= minPauseSeconds &&
      start >= pause.start + slackSeconds &&
      end <= pause.end - slackSeconds,
  );

/**
 * The words of a piece of sound, in seconds from its start.
 * @param pauses the pauses of the piece, in the same time
 */
export const whisperWords = (said: Said, pauses: readonly Span[]): Word[] =>
  wordsOfTokens(withoutAsides(wholeTokens(said)), (said.segments.at(-1)?.t1 ?? 0) / 1000).filter(
    (word) => !isInvented(word, pauses),
  );
