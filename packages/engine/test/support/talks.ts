import type { Analysis, Span, Word } from '../../src/facts.ts';
import { splitSentences } from '../../src/words/transcript.ts';
import { dice, quietAnalysis } from 'clip-testkit/media-analysis';
import { talkWords as words, type HighlightKind } from './talk-words.ts';

export interface Highlight extends Span {
  kind: HighlightKind;
}

/**
 * A generated talk of about ten minutes, as a scan would see it, and the positions of its
 * highlights.
 */
export interface Talk {
  analysis: Analysis;
  highlights: Highlight[];
  /** Where a new subject begins, in seconds. */
  turns: number[];
  /** Time ranges with sound but without speech. */
  music: Span[];
  laughter: Span[];
}

type Dice = () => number;

const between = (random: Dice, least: number, most: number): number =>
  least + random() * (most - least);
const pick = <T>(random: Dice, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

/** Takes items from a list in random order. An item only comes again after all others. */
function deck<T>(random: Dice, list: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = [...list];
    return left.splice(Math.floor(random() * left.length), 1)[0] as T;
  };
}

const kinds: readonly HighlightKind[] = ['question', 'number', 'contrast', 'surprise', 'story'];

/** Writes words, pauses and levels one after another. */
class Recorder {
  readonly words: Word[] = [];
  readonly silences: Span[] = [];
  readonly levels: { until: number; level: number }[] = [];
  readonly #random: Dice;
  time = 0;

  constructor(random: Dice) {
    this.#random = random;
  }

  sound(seconds: number, level: number): Span {
    const start = this.time;
    this.time += seconds;
    this.levels.push({ until: this.time, level });
    return { start, end: this.time };
  }

  pause(seconds: number): void {
    const silence = this.sound(seconds, -58);
    // The precision of the sound scan.
    if (seconds >= 0.35) this.silences.push(silence);
  }

  say(text: string, pace: number, level: number): Span {
    const start = this.time;
    for (const word of text.split(' ')) {
      const seconds = ((0.12 + word.length * 0.055) * 2.7) / pace;
      const spoken = this.sound(seconds, level + between(this.#random, -1.5, 1.5));
      this.words.push({ text: word, ...spoken });
      if (/[,;]$/.test(word)) this.pause(between(this.#random, 0.05, 0.4));
    }
    return { start, end: this.time };
  }
}

/** The mean level of each half second. */
function loudnessOf(recorder: Recorder): Analysis['loudness'] {
  const step = 0.5;
  const values: number[] = [];
  let at = 0;
  for (let from = 0; from < recorder.time; from += step) {
    let power = 0;
    let time = from;
    const end = Math.min(from + step, recorder.time);
    while (time < end - 1e-9) {
      while ((recorder.levels[at]?.until ?? Infinity) <= time + 1e-9) at += 1;
      const until = Math.min(end, recorder.levels[at]?.until ?? end);
      power += (until - time) * 10 ** ((recorder.levels[at]?.level ?? -70) / 10);
      time = until;
    }
    values.push(Math.round(100 * Math.log10(power / (end - from))) / 10);
  }
  return { step, values };
}

/** A talk with known highlights. The same seed gives the same talk. */
export function makeTalk(seed: number): Talk {
  const random = dice(seed * 7919 + 13);
  for (let warm = 0; warm < 8; warm++) random();
  const recorder = new Recorder(random);
  const base = between(random, -26, -18);
  const usualPace = between(random, 2.3, 3.1);
  const highlights: Highlight[] = [];
  const turns: number[] = [];
  const music: Span[] = [];
  const laughter: Span[] = [];
  const nextSubject = deck(random, words.subjects);
  const nextKind = deck(random, kinds);
  const nextDull = deck(random, words.dull);
  const nextPlain = deck(random, words.plain);
  let subject = nextSubject();
  let person = pick(random, words.people);

  const filled = (text: string): string => {
    const things = subject.toSorted(() => random() - 0.5);
    const slots: Record<string, () => string> = {
      a: () => subject[0] ?? '',
      b: () => things[0] ?? '',
      c: () => things[1] ?? '',
      n: () => String(Math.round(between(random, 11, 960))),
      m: () => String(Math.round(between(random, 2, 40))),
      w: () => person,
    };
    const whole = text.replace(/\{(\w)\}/g, (_, slot: string) => slots[slot]?.() ?? '');
    return whole.charAt(0).toUpperCase() + whole.slice(1);
  };
  const say = (text: string, pace: number, level: number): Span => {
    const span = recorder.say(filled(text), pace, level);
    recorder.pause(between(random, 0.2, 0.75));
    return span;
  };
  const ordinary = (seconds: number): void => {
    const until = recorder.time + seconds;
    while (recorder.time < until) {
      const text = random() < 0.4 ? nextDull() : nextPlain();
      say(text, usualPace * between(random, 0.82, 1.1), base + between(random, -1.5, 1));
      if (random() < 0.15) recorder.pause(between(random, 0.8, 2));
    }
  };
  const highlight = (): void => {
    const kind = nextKind();
    const { open, middle, close } = words.highlights[kind];
    person = pick(random, words.people);
    const pace = usualPace * between(random, 0.95, 1.2);
    const level = base + between(random, 0, 3);
    const { start } = say(pick(random, open), pace, level);
    const nextMiddle = deck(random, middle);
    const least = between(random, 14, 26);
    for (let said = 0; said < middle.length && recorder.time - start < least; said++) {
      say(nextMiddle(), pace, level);
    }
    const { end } = say(pick(random, close), pace, level);
    highlights.push({ kind, start, end });
    if (random() < 0.4) {
      laughter.push(recorder.sound(between(random, 1, 3), base + between(random, 3, 7)));
      recorder.pause(between(random, 0.3, 1));
    }
  };

  music.push(recorder.sound(between(random, 4, 10), base + between(random, -3, 2)));
  recorder.pause(1);
  ordinary(between(random, 15, 40));
  const parts = 4 + Math.floor(random() * 2);
  for (let part = 0; part < parts; part++) {
    if (part > 0) {
      recorder.pause(between(random, 1, 3));
      turns.push(recorder.time);
      subject = nextSubject();
      say(pick(random, words.turns), usualPace, base);
    }
    ordinary(between(random, 15, 50));
    highlight();
    ordinary(between(random, 20, 60));
    if (random() < 0.4) {
      highlight();
      ordinary(between(random, 15, 35));
    }
    if (random() < 0.2) recorder.pause(between(random, 4, 8));
  }
  music.push(recorder.sound(between(random, 4, 10), base));

  const { time: duration, silences } = recorder;
  const cuts: number[] = [];
  for (let at = between(random, 3, 15); at < duration; at += between(random, 3, 15)) cuts.push(at);
  // Some cuts are so near the edges of the best parts that a clip would flash.
  for (const { start, end } of highlights) {
    if (random() < 0.4) cuts.push(start + between(random, -0.3, 0.3));
    if (random() < 0.4) cuts.push(end + between(random, -0.3, 0.3));
  }
  return {
    analysis: {
      ...quietAnalysis(duration),
      silences,
      cuts: cuts.toSorted((one, other) => one - other),
      loudness: loudnessOf(recorder),
      transcript: {
        language: 'en',
        words: recorder.words,
        sentences: splitSentences(recorder.words, 'en'),
      },
    },
    highlights,
    turns,
    music,
    laughter,
  };
}

/**
 * How many highlights are completely inside one of the picks, and how many with nine tenths of
 * their time.
 */
export function found(highlights: readonly Span[], picks: readonly Span[]) {
  const share = ({ start, end }: Span): number =>
    Math.max(
      0,
      ...picks.map(
        (pick) => (Math.min(end, pick.end) - Math.max(start, pick.start)) / (end - start),
      ),
    );
  return {
    of: highlights.length,
    whole: highlights.filter((span) => share(span) > 0.9999).length,
    mostly: highlights.filter((span) => share(span) >= 0.9).length,
  };
}
