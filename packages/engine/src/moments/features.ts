import type { Analysis, Span } from '../facts.ts';
import { clearOfCuts, cutIndex, createRateMeter, toUnitInterval } from '../scan/scan-measures.ts';
import { isEnglish } from '../words/english-words.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { rateEdges } from './edges.ts';
import type { Features } from './score.ts';
import { createHousekeepingFinder } from './housekeeping.ts';
import type { ScoreSettings } from './settings.ts';
import { createSoundMeter, type SoundMeasures } from './sound-meter.ts';
import { createSpeechMeter } from './speech-meter.ts';
import type { CueModel } from '../words/cue-model.ts';
import type { SpeakerTurns } from './speaker-turns.ts';
import type { Unit } from './units.ts';

/** The features of a clip, and what an explanation can name. */
export interface Measured {
  features: Features;
  sound: SoundMeasures;
  cuts: number;
}

/** Parts fitted to conversations that replace those of the engine, to measure another fit. */
export interface FittedParts {
  settings?: ScoreSettings;
  turnCues?: CueModel;
}

/** 1 at the target, 0.55 at half or twice the target. */
const rateLength = (length: number, target: number): number =>
  Math.exp(-((Math.log(length / target) / 0.9) ** 2));

/** The language of the words: a base code such as `en`; empty if it is not known. */
export function getSpokenLanguage({ transcript }: Pick<Analysis, 'transcript'>): string {
  if (transcript?.language) return getBaseLanguage(transcript.language);
  return transcript && isEnglish(transcript.words, null) ? 'en' : '';
}

/**
 * Makes a function that measures the clip from unit `first` to unit `last` with the times `span`.
 * Build it once per source. Each call is cheap, because a long source has hundreds of thousands of
 * clips to compare.
 */
export function createFeatureMeter(
  analysis: Analysis,
  units: readonly Unit[],
  turns: SpeakerTurns,
  { language, target, settings }: { language: string; target: number; settings: ScoreSettings },
): (first: number, last: number, span: Span) => Measured {
  const sound = createSoundMeter(analysis, units);
  const speech = units.some((unit) => unit.words > 0)
    ? createSpeechMeter(units, turns, { language, targetSeconds: target })
    : null;
  const edges = speech && rateEdges(units, turns, language, settings);
  const span = analysis.scanned ?? { start: 0, end: analysis.duration };
  const isHousekeeping = createHousekeepingFinder(units, { language, span });
  const cuts = cutIndex(analysis.cuts);
  const rates = createRateMeter(analysis);

  return (first, last, span) => {
    const length = span.end - span.start;
    const heard = sound(span);
    const clear = clearOfCuts(cuts, span);
    const said = speech?.(first, last, length);
    const [opening, ending] = edges ? [edges.opening[first]!, edges.ending[last]!] : [0.5, 0.5];
    const features: Features = {
      length: rateLength(length, target),
      ...heard.features,
      ...(said ?? { movement: toUnitInterval(rates(span.start, span.end)) }),
      opening: opening * (clear.start ? 1 : 0.7),
      ending: ending * (clear.end ? 1 : 0.7),
      subject: isHousekeeping(first, last) ? 0 : 1,
    };
    return { features, sound: heard.measures, cuts: cuts.between(span.start, span.end) };
  };
}
