import type { MediaInfo, SoundFacts } from '../facts.ts';
import { isReadable } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { getBaseLanguage, parseLanguage } from '../words/language-code.ts';
import { openSource } from './open-source.ts';
import { type Probed, type ProbedStream, findSoundStream } from './probe.ts';
import { frameSeconds, measureLevels, measuredRate } from './sound-levels.ts';
import { readSamples } from './sound-samples.ts';

/** The maximum number of sound tracks that are analysed. Recorders write up to six. */
const maxTracks = 8;

/** The length of the samples at the start of a source and in its middle, in seconds. */
const listenedSeconds = 60;

const frameSamples = measuredRate * frameSeconds;

/** Frames softer than this are silence, whatever the track has else, in dBFS. */
const silentDb = -60;

/** Syllables: the level rises by `riseDb` this often in a second, from far below its highest. */
const minRangeDb = 12;
const riseDb = 8;
const rises = { min: 2, max: 10 } as const;
/** The share of the loud frames in which a voice has a pitch. Clicks and hiss have none. */
const minVoiced = 0.3;
/** The correlation of a frame with the one a period later in a voice. */
const minPeriodic = 0.6;
/** Periods of voices from 400 to 73 Hz, in samples. */
const periods = { min: 40, max: 220 } as const;

/** People in the microphone of another are this much softer, in dB. */
const maxBelowUsualDb = 15;

/** A track speaks with this much speech: of two minutes, six seconds. */
const minSpeechShare = 0.05;
const minSpeechSeconds = 2;
/**
 * The minimum share of speech that a track has for itself, if two tracks are of different people.
 */
const minOwnShare = 0.2;

/** The marks and names of tracks for some viewers, which are chosen by hand. */
const special = ['comment', 'visual_impaired', 'hearing_impaired', 'descriptions', 'karaoke'];
const specialName = /comment|descri/i;

/** The sound of a track, second by second. */
export interface HeardTrack {
  index: number;
  /** The language as the file names it; null if it does not. */
  language: string | null;
  /** Whether there is more than silence. */
  audible: boolean;
  /** Whether there is speech, for each second. */
  speech: readonly boolean[];
}

/** Counts the rises of a level by `riseDb` after it fell by as much. */
function countRises(levels: Float32Array): number {
  let [count, edge, rising] = [0, Infinity, true];
  for (const level of levels) {
    edge = rising ? Math.min(edge, level) : Math.max(edge, level);
    if (Math.abs(level - edge) < riseDb) continue;
    if (rising) count += 1;
    rising = !rising;
    edge = level;
  }
  return count;
}

/** Whether the sound from a sample on repeats itself at the pitch of a voice. */
function isVoiced(samples: Int16Array, from: number): boolean {
  const length = 2 * periods.max;
  for (let period = periods.min; period <= periods.max; period += 2) {
    let [both, one, other] = [0, 1, 1];
    for (let at = from; at < from + length - period; at += 2) {
      const [a, b] = [samples[at]!, samples[at + period]!];
      both += a * b;
      one += a * a;
      other += b * b;
    }
    if (both > minPeriodic * Math.sqrt(one * other)) return true;
  }
  return false;
}

/** Returns the level of a second with speech, in dBFS; null for anything else. */
function measureSpeechLevel(samples: Int16Array): number | null {
  const levels = measureLevels(samples);
  const sorted = levels.toSorted();
  const [low = 0, high = 0] = [0.1, 0.9].map((share) => sorted[Math.floor(share * sorted.length)]);
  if (high < silentDb || high - low < minRangeDb) return null;
  const syllables = countRises(levels);
  if (syllables < rises.min || syllables > rises.max) return null;
  const loud = [...levels].flatMap((level, frame) => {
    const from = frame * frameSamples;
    return level > high - minRangeDb && from + 2 * periods.max <= samples.length ? [from] : [];
  });
  const voiced = loud.filter((from) => isVoiced(samples, from)).length;
  return voiced >= minVoiced * loud.length ? high : null;
}

/** Measures a track from its samples at 16 kHz. */
export function measureTrack(samples: Int16Array): Pick<HeardTrack, 'audible' | 'speech'> {
  const seconds = Array.from({ length: Math.floor(samples.length / measuredRate) }, (_, second) =>
    samples.subarray(second * measuredRate, (second + 1) * measuredRate),
  );
  const levels = seconds.map(measureSpeechLevel);
  const spoken = levels.filter((level) => level !== null).toSorted((a, b) => a - b);
  const usual = spoken[Math.floor(0.75 * spoken.length)] ?? 0;
  return {
    audible: measureLevels(samples).some((level) => level > silentDb),
    speech: levels.map((level) => level !== null && level > usual - maxBelowUsualDb),
  };
}

const count = (seconds: readonly boolean[]): number => seconds.filter(Boolean).length;

/** Whether each of two tracks has much speech at times at which the other has none. */
const isOther = (one: HeardTrack, other: HeardTrack): boolean =>
  [
    [one, other],
    [other, one],
  ].every(([a, b]) => {
    const own = count(a!.speech.map((speaks, second) => speaks && !b!.speech[second]));
    return own >= minOwnShare * count(a!.speech);
  });

/**
 * The indices of the tracks to hear, the main one first: the usual one if it has speech, otherwise
 * the one with most speech, and tracks with other people's speech. Translations and copies of the
 * main one are not mixed with it.
 * @param usual the index of the track that a player would choose
 */
export function chooseTracks(tracks: readonly HeardTrack[], usual: number): number[] {
  const speaks = ({ speech }: HeardTrack) =>
    count(speech) >= Math.max(minSpeechSeconds, minSpeechShare * speech.length);
  const own = tracks.find(({ index }) => index === usual);
  const base = (code: string | null) => code && getBaseLanguage(code);
  const speaking = tracks
    .filter(speaks)
    // Another language is only better than silence.
    .filter(({ language }) => !own?.audible || base(language) === base(own.language))
    .toSorted((one, other) => count(other.speech) - count(one.speech));
  // A voice over music is only told in some seconds, and still the one to hear.
  const main = own && count(own.speech) >= minSpeechSeconds ? own : speaking[0];
  if (!main) {
    const audible = own?.audible ? own : tracks.find((track) => track.audible);
    return [audible?.index ?? usual];
  }
  const chosen = [main];
  for (const track of speaking) {
    const isAlike = base(track.language) === base(main.language);
    const isNew = isAlike && track !== main;
    if (isNew && chosen.every((other) => isOther(track, other))) chosen.push(track);
  }
  return chosen.map(({ index }) => index);
}

/** The tracks that may be heard instead of the usual one. */
function listCandidates(probed: Probed, usual: ProbedStream): ProbedStream[] {
  const others = (probed.streams ?? []).filter(
    (stream) =>
      stream.codec_type === 'audio' &&
      stream !== usual &&
      isReadable(stream.codec_name ?? '') &&
      !special.some((kind) => stream.disposition?.[kind]) &&
      !specialName.test(stream.tags?.['title'] ?? ''),
  );
  return [usual, ...others].slice(0, maxTracks);
}

/**
 * Listens to a file with several sound tracks, in its first minute and in one from its middle on,
 * and returns the facts with those that are heard. Broadcasts keep their first track: their others
 * are of other stations, or describe the picture.
 * @throws {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export async function withHeardTracks(
  path: string,
  { probed, media, signal }: { probed: Probed; media: MediaInfo; signal: AbortSignal },
): Promise<MediaInfo> {
  const usual = findSoundStream(probed);
  const tracks = usual ? listCandidates(probed, usual) : [];
  if (usual?.index === undefined || tracks.length < 2) return media;
  if (/^mpeg/.test(probed.format?.format_name ?? '')) return media;
  const { duration, startTime = 0 } = media;
  const parts =
    duration <= 2 * listenedSeconds
      ? [{ from: 0, seconds: duration }]
      : [0, duration / 2].map((from) => ({ from, seconds: listenedSeconds }));
  const heard = tracks.map((): ReturnType<typeof measureTrack>[] => []);
  try {
    for (const { from, seconds } of parts) {
      const opened = await openSource(path, { from, picture: null, startTime, signal });
      for (const [at, { index = 0 }] of tracks.entries()) {
        const source = { audioStream: index };
        heard[at]!.push(measureTrack(await readSamples(opened, { source, seconds, signal })));
      }
    }
  } catch (error) {
    // A track that cannot be decoded is no reason to refuse the others.
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    return media;
  }
  const [main, ...mixed] = chooseTracks(
    tracks.map(({ index = 0, tags }, at) => {
      const all = heard[at]!;
      return {
        index,
        language: parseLanguage(tags?.['language']),
        audible: all.some(({ audible }) => audible),
        speech: all.flatMap(({ speech }) => speech),
      };
    }),
    usual.index,
  );
  const facts: Omit<SoundFacts, 'hasAudio'> = {
    audioStream: main!,
    ...(mixed.length > 0 && { mixedAudioStreams: mixed }),
  };
  const codec = tracks.find(({ index }) => index === main)?.codec_name;
  return { ...media, ...facts, audioCodec: codec ?? null };
}
