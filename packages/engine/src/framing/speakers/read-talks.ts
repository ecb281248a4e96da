import type { PictureFacts } from '../../facts.ts';
import { openSource } from '../../source/open-source.ts';
import type { ClipLook, Talk } from '../look.ts';
import { geometryOf, type FramedClip } from '../framed-clip.ts';
import { peopleApart, shotsOf } from '../shots.ts';
import { readMouths } from './mouths.ts';
import { soundLevels } from './sound-levels.ts';
import { whoSpeaks } from './who-speaks.ts';

/** A shorter shot stays as it is. */
const minShotSeconds = 2;

/**
 * Reads the mouths in those shots of a clip whose people do not fit in one window, and tells who
 * speaks, unless that is known. Other shots cost nothing. Throws ProcessError if the source cannot
 * be decoded, or the signal's reason.
 */
export async function readTalks(
  path: string,
  clip: FramedClip & { source: PictureFacts & { audioStream?: number } },
  look: ClipLook,
  signal: AbortSignal,
): Promise<Talk[]> {
  const { source, frameRate, ranges } = clip;
  const clipStart = ranges[0]!.start;
  const geometry = geometryOf(clip);
  const talks: Talk[] = look.talks ? [...look.talks] : [];
  for (const shot of shotsOf(look, ranges.at(-1)!.end - clipStart)) {
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
      soundLevels(opened, { audioStream: source.audioStream, seconds, signal }),
    ]);
    for (const talk of whoSpeaks(mouths, levels, seconds)) {
      talks.push({ ...talk, start: start + talk.start, end: start + talk.end });
    }
  }
  return talks;
}
