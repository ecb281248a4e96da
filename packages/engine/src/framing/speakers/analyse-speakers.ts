import type { PictureFacts, SoundFacts } from '../../facts.ts';
import { run } from '../../program/ffmpeg-process.ts';
import { quietStart } from '../../program/input-guard.ts';
import { analysisNiceness } from '../../program/process-limits.ts';
import { scanSampleRate, soundScanOutput } from '../../scan/sound-scan.ts';
import { frameSeconds, minLevelDb } from '../../scan/speech-pauses.ts';
import { type OpenedSource, openSource, soundFrom } from '../../source/open-source.ts';
import { type FramedClip, geometryOf } from '../layout.ts';
import { peopleApart, shotsOf } from '../shots.ts';
import type { PictureAnalysis, Talk } from '../subject-finder.ts';
import { readMouths } from './mouths.ts';
import { whoSpeaks } from './who-speaks.ts';

/** A shorter shot stays as it is. */
const minShotSeconds = 2;

/**
 * Reads the mouths in those shots of a clip whose people do not fit in one window, and returns who
 * speaks, unless that is known. Other shots cost nothing. Throws ProcessError if the source cannot
 * be decoded, or the signal's reason.
 */
export async function readTalks(
  path: string,
  clip: FramedClip & { source: PictureFacts & SoundFacts },
  analysis: PictureAnalysis,
  signal: AbortSignal,
): Promise<Talk[]> {
  const { source, frameRate, ranges } = clip;
  const clipStart = ranges[0]!.start;
  const geometry = geometryOf(clip);
  const talks: Talk[] = analysis.talks ? [...analysis.talks] : [];
  for (const shot of shotsOf(analysis, ranges.at(-1)!.end - clipStart)) {
    const { start, end, sightings, talks: known = [] } = shot;
    if (known.length > 0) continue;
    const people = peopleApart(shot, geometry);
    if (people.length === 0 || end - start < minShotSeconds) continue;
    const from = clipStart + start;
    const seconds = end - start;
    const opened = await openSource(path, { from, picture: source, signal });
    const faces = people.map((track) =>
      track.map((box, at) => ({ time: sightings[at]!.time - start, box })),
    );
    const [mouths, levels] = await Promise.all([
      readMouths(opened, { source, frameRate, seconds, faces, signal }),
      soundLevels(opened, { source, seconds, signal }),
    ]);
    for (const talk of whoSpeaks(mouths, levels, seconds)) {
      talks.push({ ...talk, start: start + talk.start, end: start + talk.end });
    }
  }
  return talks;
}

/**
 * Levels of a source's sound in dBFS, `frameSeconds` each. Throws ProcessError if it cannot be
 * decoded, or the signal's reason.
 */
async function soundLevels(
  opened: OpenedSource,
  { source, seconds, signal }: { source: SoundFacts; seconds: number; signal: AbortSignal },
): Promise<Float32Array> {
  const chunks: Buffer[] = [];
  const filters = `${soundFrom(source, opened, scanSampleRate)},atrim=end=${seconds.toFixed(6)}[a]`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-filter_complex', filters, '-map', '[a]', ...soundScanOutput,
    ],
    {
      signal,
      niceness: analysisNiceness,
      deadlineSeconds: 60 + seconds,
      onStdout: (chunk) => void chunks.push(chunk),
    },
  );
  const bytes = Buffer.concat(chunks);
  const frameBytes = 2 * scanSampleRate * frameSeconds;
  return Float32Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, frame) => {
    let sum = 0;
    for (let at = frame * frameBytes; at < (frame + 1) * frameBytes; at += 2) {
      sum += bytes.readInt16LE(at) ** 2;
    }
    const power = sum / (frameBytes / 2) / 32_768 ** 2;
    return power > 0 ? Math.max(minLevelDb, 10 * Math.log10(power)) : minLevelDb;
  });
}
