import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { editSchema } from '../editing/edit-schema.ts';
import type { CropWindow, Edit, FramedShot } from '../edit.ts';
import type { MediaInfo } from '../facts.ts';
import { computeSizeWithoutBars } from '../source/open-source.ts';
import { CommandError } from './terminal.ts';

/** An edit of three minutes has some hundred kilobytes. */
const maxBytes = 20_000_000;

/** Clocks of files round times, and the last frame of a video may be shorter. */
const toleranceSeconds = 0.1;

const listWindows = (shot: FramedShot): readonly CropWindow[] =>
  shot.mode === 'crop'
    ? [shot.window]
    : shot.mode === 'stack'
      ? shot.windows
      : shot.mode === 'screen'
        ? [shot.speaker]
        : [];

/** The parts of the source that an edit shows, at each place that they pass. */
const listShownParts = ({ framing }: Edit) =>
  framing.mode === 'crop'
    ? [framing]
    : framing.mode === 'shots'
      ? framing.shots
          .flatMap(listWindows)
          .flatMap(({ width, height, keys }) => keys.map(({ x, y }) => ({ x, y, width, height })))
      : [];

/** Why the edit cannot be one of this video; null if it can. */
function findMismatch(edit: Edit, media: MediaInfo): string | null {
  const { source, ranges, frameRate, duration } = edit;
  const size = ({ width, height }: { width: number; height: number }) => `${width}x${height}`;
  const seen = computeSizeWithoutBars(media, source.content);
  if (size(source) !== size(seen)) {
    const bars = source.content ? ' without its black bars' : '';
    return `It was made for a video of ${size(source)} pixels${bars}, and this one has ${size(seen)}.`;
  }
  if (source.hasAudio && !media.hasAudio)
    return 'It was made for a video with sound, and this one has none.';
  const end = ranges.at(-1)!.end;
  if (end > media.duration + toleranceSeconds) {
    return `It plays the video until second ${end}, and this one ends at ${media.duration}.`;
  }
  const kept = ranges.reduce((sum, range) => sum + range.end - range.start, 0);
  if (Math.abs(kept - duration) > 1 / frameRate) {
    return `The ranges add up to ${Number(kept.toFixed(3))} seconds, but \`duration\` is ${duration}.`;
  }
  const outside = listShownParts(edit).find(
    ({ x, y, width, height }) => x + width > source.width + 1 || y + height > source.height + 1,
  );
  if (!outside) return null;
  return `It shows ${size(outside)} pixels from ${outside.x}, ${outside.y} on, which are not in the picture.`;
}

/**
 * Reads an `edit.json`.
 * @throws {@link CommandError} with every fault, if it is not an edit
 */
export async function readEditFile(path: string): Promise<Edit> {
  const file = resolve(path);
  const { size } = await stat(file);
  if (size > maxBytes) {
    throw new CommandError(`${path} is ${size} bytes. The limit for an edit is ${maxBytes}.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(`${path} is not JSON. ${error.message}.`);
  }
  const { data, error } = editSchema.safeParse(json);
  if (data) return data;
  const faults = error!.issues
    .slice(0, 20)
    .map(({ path: field, message }) => `${field.join('.') || 'The file'}: ${message}`);
  throw new CommandError(`${path} is not an edit that can be rendered.\n${faults.join('\n')}`);
}

/** Throws a {@link CommandError} if the edit cannot be one of this video. */
export function requireFit(edit: Edit, media: MediaInfo): void {
  const reason = findMismatch(edit, media);
  if (reason) throw new CommandError(`The edit does not fit the video. ${reason}`);
}
