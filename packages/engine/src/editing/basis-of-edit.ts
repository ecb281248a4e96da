import type { Edit, EditingOptions } from '../edit.ts';
import type { Span, Word } from '../facts.ts';
import type { Basis } from './basis.ts';
import { airSeconds } from './kept-ranges.ts';
import { extentOf } from './seen-edit.ts';

/** A time of the output, in source seconds. */
function sourceTime(ranges: readonly Span[], time: number): number {
  let left = time;
  for (const { start, end } of ranges) {
    if (left <= end - start) return start + left;
    left -= end - start;
  }
  return ranges.at(-1)!.end;
}

/**
 * A basis for a clip of which only the edit was kept. It knows the words of the clip and none
 * beside them; the pictures have to be looked at again.
 */
export function basisOfEdit(
  edit: Edit,
  {
    editing,
    editable,
    duration,
  }: { editing: EditingOptions | undefined; editable: Span; duration: number },
): Basis {
  const { ranges, source, captions, style, language } = edit;
  const words = (edit.words ?? captions.flatMap((line) => line.words)).map((word): Word => ({
    ...word,
    start: sourceTime(ranges, word.start),
    end: sourceTime(ranges, word.end),
  }));
  const holes = ranges.slice(1).map(({ start }, index) => ({
    start: ranges[index]!.end - airSeconds,
    end: start + airSeconds,
  }));
  return {
    version: 1,
    duration,
    media: { ...source, duration, videoCodec: '', audioCodec: null },
    editable,
    span: extentOf(edit),
    title: edit.title?.text ?? '',
    silences: holes,
    focus: [],
    words: words.length > 0 ? words : null,
    language: language ?? null,
    ...(edit.translated && { translated: true }),
    wish: {
      editing: {
        captions: captions.length > 0,
        emojis: edit.emojis.length > 0,
        intro_title: edit.title !== null,
        reframe: edit.framing.mode !== 'fit',
        ...editing,
        remove_silences: holes.length > 0,
      },
      dimensions: edit.dimensions,
      ...(style && { style }),
    },
  };
}
