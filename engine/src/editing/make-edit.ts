import type { Dimensions, EditingOptions, CaptionLine, Edit } from '../edit.ts';
import type { Analysis, MediaInfo, PictureFacts, Span, Word } from '../facts.ts';
import type { Candidate } from '../moments/candidates.ts';
import { captionLines } from '../captions/caption-lines.ts';
import { placedText } from '../captions/caption-place.ts';
import { charactersPerLine } from '../captions/caption-style.ts';
import { emojiCues } from '../captions/emoji-cues.ts';
import { outputRate } from '../source/frame-rate.ts';
import { encodable, firstFraming, isCut } from '../framing/output-shape.ts';
import { latestStart } from './first-picture.ts';
import { keptRanges, lastingAtLeast, removedSilences, snapToFrames } from './kept-ranges.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { outputWords } from './time-map.ts';
import { fitTitle, titleOf, titleSeconds } from '../moments/title.ts';

/** How an edit should look. */
export interface EditWish {
  editing: EditingOptions;
  /** Output size in pixels. An odd side becomes one pixel smaller. */
  dimensions: Dimensions;
  /** If omitted, the default style. */
  style?: Style | undefined;
  /**
   * Minimum length in seconds after silences are removed.
   * @default 0
   */
  minSeconds?: number;
}

/** Groups words into caption lines that fit the style's font size. */
function linesOf(
  words: readonly Word[],
  {
    dimensions,
    duration,
    style = defaultStyle,
    language = null,
  }: {
    dimensions: Dimensions;
    duration: number;
    style?: Style | undefined;
    language?: string | null;
  },
): CaptionLine[] {
  const fits = charactersPerLine(dimensions, style);
  const lines = captionLines(words, fits, style.captions.words, language);
  return lines.map((line) => ({ ...line, end: Math.min(line.end, duration) }));
}

function pictureFacts({ videoStream, transfer, firstField, content }: MediaInfo): PictureFacts {
  return {
    ...(videoStream !== undefined && { videoStream }),
    ...(transfer && { transfer }),
    ...(firstField && { firstField }),
    ...(content && { content }),
  };
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
  // Whole videos end on their last full frame: one more would only be repeated.
  const ranges = lastingAtLeast(snapToFrames(keptRanges(span, removed, words), frameRate), span, {
    minSeconds: wish.minSeconds ?? 0,
    frameRate,
  });
  const frames = ranges.reduce(
    (sum, range) => sum + Math.round((range.end - range.start) * frameRate),
    0,
  );
  const duration = frames / frameRate;
  const dimensions = encodable(wish.dimensions);
  const latest = latestStart({ ranges, duration }, analysis, {
    words,
    minSeconds: wish.minSeconds ?? 0,
  });
  const heard = outputWords(ranges, words);
  const captions = editing.captions
    ? linesOf(heard, { dimensions, duration, style: wish.style, language })
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
      // Tone mapping converts the matrix, too.
      colourMatrix: media.transfer ? 'bt709' : (media.colourMatrix ?? 'bt709'),
      ...(media.audioStream !== undefined && { audioStream: media.audioStream }),
      ...pictureFacts(media),
    },
    ranges,
    duration,
    frameRate,
    dimensions,
    framing,
    // The pictures decide where to crop, and which faces the text could cover.
    ...((isCut(media, framing) || captions.length > 0 || titled) && { unseen: true }),
    ...(span.end - span.start < analysis.duration &&
      latest > ranges[0]!.start && { latestStart: latest }),
    captions,
    ...(!editing.captions && heard.length > 0 && { words: heard }),
    emojis: editing.emojis ? emojiCues(captions, language) : [],
    title: titled ? { text: title, end: Math.min(titleSeconds, duration) } : null,
    ...(wish.style && { style: wish.style }),
    ...(language !== null && { language }),
    ...(analysis.translated && { translated: true }),
  };
}

/**
 * The same edit in another style. Caption lines are broken again, because the font size can change.
 */
export function restyled(edit: Edit, style: Style): Edit {
  const words = edit.captions.flatMap((line) => line.words);
  const captions = linesOf(words, { ...edit, style });
  const emojis = edit.emojis.length > 0 ? emojiCues(captions, edit.language ?? null) : [];
  return placedText({ ...edit, captions, emojis, style });
}

/** The default name of a task, which is not shown as a title. */
const namelessTask = 'Upload';

function givenTitle(name: string): string {
  const given = name.trim();
  return given === namelessTask ? '' : fitTitle(given);
}

/**
 * The edit of a clip. If it has no words, its hook title is the task's `name`. It has no title if
 * `name` is omitted or the default.
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
 * The edit of a whole video. The hook title is `wish.title`, shortened to fit. If that is empty or
 * the default name `Upload`, the title is made from the video's own words; without words there is
 * none.
 */
export function editWhole(analysis: Analysis, wish: EditWish & { title: string }): Edit {
  const { transcript } = analysis;
  const own = { language: transcript?.language ?? null, start: 0 };
  const title =
    givenTitle(wish.title) || (titleOf(transcript?.sentences.slice(0, 5) ?? [], own) ?? '');
  return editOf(analysis, { start: 0, end: analysis.duration }, title, wish);
}
