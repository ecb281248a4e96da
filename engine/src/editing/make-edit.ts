import type { Dimensions, EditingOptions, CaptionLine, Edit } from '../edit.ts';
import type { Analysis, Span, Word } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { captionLines } from '../captions/caption-lines.ts';
import { placedText } from '../captions/caption-place.ts';
import { charactersPerLine } from '../captions/caption-style.ts';
import { emojiCues } from '../captions/emoji-cues.ts';
import { outputRate } from '../source/frame-rate.ts';
import { encodable, firstFraming, isCut } from '../framing/output-shape.ts';
import { keptRanges, lastingAtLeast, removedSilences, snapToFrames } from './kept-ranges.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { outputWords } from './time-map.ts';
import { fitTitle, titleOf, titleSeconds } from '../moments/title.ts';

/** What is asked of an edit. */
export interface EditWish {
  editing: EditingOptions;
  dimensions: Dimensions;
  /** The default style where left out. */
  style?: Style | undefined;
  /** Seconds that removed silences leave at the least; none where left out. */
  least?: number;
}

/** Words of the output as caption lines that fit the style's letters. */
function linesOf(
  words: readonly Word[],
  {
    dimensions,
    duration,
    style = defaultStyle,
  }: { dimensions: Dimensions; duration: number; style?: Style | undefined },
): CaptionLine[] {
  const lines = captionLines(words, charactersPerLine(dimensions, style), style.captions.words);
  return lines.map((line) => ({ ...line, end: Math.min(line.end, duration) }));
}

function editOf(analysis: Analysis, span: Span, title: string, wish: EditWish): Edit {
  const { media } = analysis;
  const { editing } = wish;
  const language = analysis.transcript?.language ?? null;
  const words = (analysis.transcript?.words ?? []).filter(
    (word) => word.start < span.end && word.end > span.start,
  );
  const frameRate = outputRate(media.frameRate);
  const removed = editing.remove_silences ? removedSilences(span, analysis.silences, words) : [];
  // A frame more than there is would be a repeated one: whole videos end on their last full frame.
  const ranges = lastingAtLeast(snapToFrames(keptRanges(span, removed, words), frameRate), span, {
    least: wish.least ?? 0,
    frameRate,
  });
  const frames = ranges.reduce(
    (sum, range) => sum + Math.round((range.end - range.start) * frameRate),
    0,
  );
  const duration = frames / frameRate;
  const dimensions = encodable(wish.dimensions);
  const captions = editing.captions
    ? linesOf(outputWords(ranges, words), { dimensions, duration, style: wish.style })
    : [];
  const titled = editing.intro_title && title !== '';
  const { reframe } = editing;
  const framing = firstFraming(media, dimensions, { reframe, focus: analysis.focus, ranges });
  return {
    version: 1,
    source: {
      width: media.width,
      height: media.height,
      frameRate: media.frameRate,
      hasAudio: media.hasAudio,
      colourMatrix: media.colourMatrix ?? 'bt709',
    },
    ranges,
    duration,
    frameRate,
    dimensions,
    framing,
    // Looked at for the window, or for faces that the text would cover.
    ...((isCut(media, framing) || captions.length > 0 || titled) && { unseen: true }),
    captions,
    emojis: editing.emojis ? emojiCues(captions, language) : [],
    title: titled ? { text: title, end: Math.min(titleSeconds, duration) } : null,
    ...(wish.style && { style: wish.style }),
    ...(language !== null && { language }),
  };
}

/** The same edit in another style: the words are set in lines anew, for the letters' size. */
export function restyled(edit: Edit, style: Style): Edit {
  const words = edit.captions.flatMap((line) => line.words);
  const captions = linesOf(words, { ...edit, style });
  const emojis = edit.emojis.length > 0 ? emojiCues(captions, edit.language ?? null) : [];
  return placedText({ ...edit, captions, emojis, style });
}

/** The name that a task has when nobody gave it one: no title to show. */
const namelessTask = 'Upload';

const givenTitle = (name: string): string => {
  const given = name.trim();
  return given === namelessTask ? '' : fitTitle(given);
};

/**
 * The edit of a short. An odd width or height is planned one pixel smaller. Where nothing is said in it, the hook title is the
 * task's `name`, and none where that is left out or the default.
 */
export function editShort(
  analysis: Analysis,
  candidate: Candidate,
  wish: EditWish & { name?: string },
): Edit {
  const span = {
    start: Math.max(0, candidate.start),
    end: Math.min(candidate.end, analysis.duration),
  };
  const title = candidate.ownWords === false ? givenTitle(wish.name ?? '') : candidate.title;
  return editOf(analysis, span, title, wish);
}

/**
 * The edit of a whole video (video-to-video). The hook title is `title`, shortened to fit; where that is empty or the default name
 * `Upload`, it is made of the video's own words, and without words there is none.
 */
export function editWhole(analysis: Analysis, wish: EditWish & { title: string }): Edit {
  const { transcript } = analysis;
  const own = { language: transcript?.language ?? null, start: 0 };
  const title =
    givenTitle(wish.title) || (titleOf(transcript?.sentences.slice(0, 5) ?? [], own) ?? '');
  return editOf(analysis, { start: 0, end: analysis.duration }, title, wish);
}
