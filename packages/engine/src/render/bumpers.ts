import { resolve } from 'node:path';
import type { Dimensions, Edit } from '../edit.ts';
import { buildFramingGraph } from '../framing/framing-graph.ts';
import { guessFraming } from '../framing/framing.ts';
import { decodeGuard } from '../program/input-guard.ts';
import { makeEditSource } from '../source/edit-source.ts';
import { formatRate } from '../source/frame-rate.ts';
import { makeMediaInfo, probe, readStatedDuration } from '../source/probe.ts';
import { filterNumber } from './cut-graph.ts';
import { convertFilters, fadeFilters } from './sound-graph.ts';

/** The bumpers of an edit as files from `readBumperFile`. */
export interface BumperFiles {
  intro?: string | undefined;
  outro?: string | undefined;
}

/** A bumper, opened to be joined to an edit. */
interface Bumper {
  /** Options of ffmpeg's input. */
  input: string[];
  /** Length in frames of the edit. */
  frames: number;
  source: Edit['source'];
}

/** The bumpers that a render joins to its clip. */
export interface Bumpers {
  intro: Bumper | null;
  outro: Bumper | null;
}

/**
 * Opens the bumpers of an edit; none if `files` is null.
 * @throws an `Error` if a file is missing
 */
export async function openBumpers(
  edit: Edit,
  files: BumperFiles | null,
  signal: AbortSignal,
): Promise<Bumpers> {
  const openOne = async (place: keyof BumperFiles): Promise<Bumper | null> => {
    if (!edit[place] || !files) return null;
    const path = files[place];
    if (path === undefined)
      throw new Error(`The edit has an ${place}, whose file is not here. Remove \`${place}\`.`);
    const probed = await probe(path, signal);
    const media = makeMediaInfo(probed, readStatedDuration(probed), null)!;
    const frames = Math.max(1, Math.round(media.duration * edit.frameRate));
    const source = makeEditSource(media);
    return { input: [...decodeGuard, '-i', resolve(path)], frames, source };
  };
  return { intro: await openOne('intro'), outro: await openOne('outro') };
}

/** The length of an edit with its bumpers, in seconds. */
export const sumSeconds = (edit: Edit, { intro, outro }: Bumpers): number =>
  edit.duration + ((intro?.frames ?? 0) + (outro?.frames ?? 0)) / edit.frameRate;

/** The inputs of bumpers, in the order in which they play. */
export const listBumperInputs = ({ intro, outro }: Bumpers): string[] => [
  ...(intro?.input ?? []),
  ...(outro?.input ?? []),
];

/**
 * Returns the lines of the filter graph that join `[clipPicture]` and `[clipSound]` with bumpers to
 * `[v]` and `[a]`; none without bumpers. One of another shape is whole on a blurred ground.
 * @param firstInput index of ffmpeg's first input of {@link listBumperInputs}
 */
export function joinBumpers(
  edit: Edit,
  size: Dimensions,
  { intro, outro }: Bumpers,
  firstInput: number,
): string[] {
  if (!intro && !outro) return [];
  const drawOne = ({ frames, source }: Bumper, input: number): string[] => {
    const seconds = frames / edit.frameRate;
    const framing = guessFraming(source, size, { reframe: false, focus: [], ranges: [] });
    return [
      `[${input}:v:0]fps=${formatRate(edit.frameRate)},tpad=stop_mode=clone:stop_duration=${filterNumber(seconds)},trim=end_frame=${frames},setpts=PTS-STARTPTS[read${input}]`,
      ...buildFramingGraph({ ...edit, source, framing }, size, [`read${input}`, `shown${input}`]),
      `[shown${input}]format=yuv420p[picture${input}]`,
      `[${input}:a:0]${convertFilters},apad=whole_dur=${filterNumber(seconds)},atrim=end=${filterNumber(seconds)},${fadeFilters(seconds).join(',')}[sound${input}]`,
    ];
  };
  const name = (input: number) => `[picture${input}][sound${input}]`;
  const last = firstInput + (intro ? 1 : 0);
  const parts = [
    ...(intro ? [name(firstInput)] : []),
    '[clipPicture][clipSound]',
    ...(outro ? [name(last)] : []),
  ];
  return [
    ...(intro ? drawOne(intro, firstInput) : []),
    ...(outro ? drawOne(outro, last) : []),
    `${parts.join('')}concat=n=${parts.length}:v=1:a=1[v][a]`,
  ];
}
