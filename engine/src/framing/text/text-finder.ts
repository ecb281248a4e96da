import type { Box } from '../../edit.ts';
import { sameScene } from '../scene-change.ts';
import type { Looking, Subject, SubjectFinder } from '../subject-finder.ts';
import { greyOf } from './grey.ts';
import { isText, largeTextLines, textLines } from './text-lines.ts';

/** Text stays for a while: every fourth picture is enough, about one a second. */
const searchEvery = 4;

/** Finds text that fills a part of the picture, as on slides and screens. */
export function textFinder({ size }: Looking): SubjectFinder {
  let before: Uint8Array | null = null;
  let since = 0;
  let found: Subject[] = [];
  const look = (picture: Uint8Array): Promise<Subject[]> => {
    const search = before === null || (since += 1) >= searchEvery || !sameScene(picture, before);
    before = picture;
    if (!search) return Promise.resolve(found);
    since = 0;
    const grey = greyOf(picture, size);
    const lines = [textLines(grey), largeTextLines(grey)].filter(isText).flat();
    found = lines.length > 0 ? [{ kind: 'text', box: boxAround(lines, size) }] : [];
    return Promise.resolve(found);
  };
  return { look, close: () => Promise.resolve() };
}

function boxAround(
  lines: readonly { left: number; right: number; top: number; bottom: number }[],
  { width, height }: { width: number; height: number },
): Box {
  const left = Math.min(...lines.map((line) => line.left)) / width;
  const top = Math.min(...lines.map((line) => line.top)) / height;
  const right = Math.max(...lines.map((line) => line.right)) / width;
  const bottom = Math.max(...lines.map((line) => line.bottom)) / height;
  return { x: left, y: top, width: right - left, height: bottom - top };
}
