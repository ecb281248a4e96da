import type { Box } from '../../edit.ts';
import { median } from '../../scan/scan-measures.ts';
import type { Geometry, ShotAnalysis, WindowPath } from '../following.ts';
import type { Subject } from '../subject-finder.ts';
import { countPresence, findTracks } from '../tracks.ts';
import { isReading, maxTitleLines, groupRows } from './found-lines.ts';

/** Pictures with text: the whole picture, and the speaker below it if they are in an inset. */
type ScreenTreatment = { mode: 'fit' } | { mode: 'screen'; speaker: WindowPath };

/** A shot is of a screen if this share of its pictures shows text. */
const minTextShare = 0.5;
/** The speaker is shown if their face and their inset are found in this share of those pictures. */
const minFaceShare = 0.5;
const minInsetShare = 0.5;
/** A speaker moves in this share of the comparisons, and is the only one who does. */
const minMovedShare = 0.3;
/** Only an upright output has room below a screen. */
const minUpright = 1.2;
/** The window keeps this share of the inset's size away from its borders. */
const insetMarginShare = 0.02;
/** The middle of the face is at this share of the window's height. */
const faceLine = 0.42;

function medianBox(boxes: readonly Box[]): Box {
  const of = (side: keyof Box) => median(boxes.map((box) => box[side]));
  return { x: of('x'), y: of('y'), width: of('width'), height: of('height') };
}

/** The part of an inset around the face, as large as its shape allows. */
function placeSpeaker(inset: Box, face: Box, { source, upright }: Geometry, start: number) {
  const shape = 1 / (upright - source.height / source.width);
  const room = {
    x: (inset.x + insetMarginShare * inset.width) * source.width,
    y: (inset.y + insetMarginShare * inset.height) * source.height,
    width: inset.width * (1 - 2 * insetMarginShare) * source.width,
    height: inset.height * (1 - 2 * insetMarginShare) * source.height,
  };
  const height = Math.min(room.height, room.width / shape);
  const width = height * shape;
  const within = (value: number, from: number, length: number) =>
    Math.min(Math.max(value, from), from + length);
  const x = (face.x + face.width / 2) * source.width - width / 2;
  const y = (face.y + face.height / 2) * source.height - height * faceLine;
  const key = {
    time: start,
    x: within(x, room.x, room.width - width),
    y: within(y, room.y, room.height - height),
  };
  return { width, height, keys: [key] };
}

/** Whether a picture shows a person, and only their name, a title, or words on their clothes. */
const isTitled = (lines: readonly Box[], subjects: readonly Subject[]): boolean =>
  groupRows(lines).length <= maxTitleLines &&
  subjects.some(({ kind, inset }) => (kind === 'face' && !inset) || kind === 'person');

/** The lasting faces of a screen that move: not photos on it. */
function findLiveFaces(texts: ShotAnalysis['sightings']): Subject[][] {
  const faces = texts.map(({ subjects }) => subjects.filter(({ kind }) => kind === 'face'));
  const of = new Map(faces.flat().map((face) => [face.box, face]));
  return findTracks(faces.map((seen) => seen.map(({ box }) => box)))
    .filter((track) => countPresence(track) >= minFaceShare * texts.length)
    .map((track) => track.flatMap((box) => (box && of.get(box)) ?? []))
    .filter((track) => {
      const compared = track.filter(({ still }) => still !== undefined);
      const moved = compared.filter(({ still }) => still === false);
      return moved.length > 0 && moved.length >= minMovedShare * compared.length;
    });
}

/**
 * Shows a shot of slides or a screen, so that no line of text is cut; null if it is another
 * kind of shot.
 */
export function showScreen(shot: ShotAnalysis, geometry: Geometry): ScreenTreatment | null {
  const texts = shot.sightings.filter(({ subjects }) => {
    const lines = subjects.filter(({ kind }) => kind === 'text').map(({ box }) => box);
    return isReading(lines) && !isTitled(lines, subjects);
  });
  if (texts.length === 0 || texts.length < minTextShare * shot.sightings.length) return null;
  if (geometry.upright < minUpright) return { mode: 'fit' };
  const speaker = findLiveFaces(texts);
  const framed = speaker.length === 1 ? speaker[0]!.filter(({ inset }) => inset !== undefined) : [];
  if (framed.length < minInsetShare * texts.length) return { mode: 'fit' };
  const inset = medianBox(framed.flatMap((one) => one.inset ?? []));
  const face = medianBox(framed.map(({ box }) => box));
  return { mode: 'screen', speaker: placeSpeaker(inset, face, geometry, shot.start) };
}
