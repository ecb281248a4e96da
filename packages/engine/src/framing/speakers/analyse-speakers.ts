import type { PictureFacts, SoundFacts } from '../../facts.ts';
import { analysisNiceness } from '../../program/process-limits.ts';
import { openSource } from '../../source/open-source.ts';
import { measureLevels } from '../../source/sound-levels.ts';
import { readSamples } from '../../source/sound-samples.ts';
import { type FramedClip, getGeometry } from '../layout.ts';
import { findPeopleApart, splitIntoShots } from '../shots.ts';
import type { PictureAnalysis, Talk } from '../subject-finder.ts';
import { readMouths } from './mouths.ts';
import { findSpeakers } from './who-speaks.ts';

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
  const geometry = getGeometry(clip);
  const talks: Talk[] = analysis.talks ? [...analysis.talks] : [];
  for (const shot of splitIntoShots(analysis, ranges.at(-1)!.end - clipStart)) {
    const { start, end, sightings, talks: known = [] } = shot;
    if (known.length > 0) continue;
    const people = findPeopleApart(shot, geometry);
    if (people.length === 0 || end - start < minShotSeconds) continue;
    const from = clipStart + start;
    const seconds = end - start;
    const opened = await openSource(path, { from, picture: source, signal });
    const faces = people.map((person) =>
      person.faces.map((box, at) => ({ time: sightings[at]!.time - start, box })),
    );
    const [mouths, samples] = await Promise.all([
      readMouths(opened, { source, frameRate, seconds, faces, signal }),
      readSamples(opened, { source, seconds, niceness: analysisNiceness, signal }),
    ]);
    for (const talk of findSpeakers(mouths, measureLevels(samples), seconds)) {
      talks.push({ ...talk, start: start + talk.start, end: start + talk.end });
    }
  }
  return talks;
}
