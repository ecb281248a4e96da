import type { Dimensions, EditingOptions } from 'clip-kit/contract';
import type { Analysis, Span, Word } from './analysis.ts';
import type { Candidate } from './candidates.ts';
import { captionLines } from './caption-lines.ts';
import { placedText } from './caption-place.ts';
import { charactersPerLine, type CaptionPosition, type TitlePosition } from './caption-style.ts';
import { emojiCues } from './emoji-cues.ts';
import { outputRate } from './frame-rate.ts';
import type { Framing } from './framing/framing.ts';
import { encodable, firstFraming, isCut } from './framing/output-shape.ts';
import type { SeenFace } from './framing/seen-faces.ts';
import type { ColourMatrix } from './ingest.ts';
import { keptRanges, lastingAtLeast, removedSilences, snapToFrames } from './kept-ranges.ts';
import { defaultStyle, type Style } from './style.ts';
import { outputWords } from './time-map.ts';
import { fitTitle, titleOf, titleSeconds } from './title.ts';

/** Words shown together, in output time. */
export interface CaptionLine extends Span {
  words: Word[];
  /** Left out: where the style has them. */
  position?: CaptionPosition;
}

/** An emoji beside the captions, in output time. */
export interface EmojiCue extends Span {
  emoji: string;
  /** That of the captions beside it. */
  position?: CaptionPosition;
}

/** The edit, and the only truth of it: preview and export are renders of it. Plain JSON. */
export interface Plan {
  version: 1;
  source: {
    width: number;
    height: number;
    frameRate: number;
    hasAudio: boolean;
    /** Left out: bt709. */
    colourMatrix?: ColourMatrix;
  };
  /** Kept stretches in source time, in order, each a whole number of output frames from the first one's start. */
  ranges: Span[];
  /** Output seconds, a whole number of output frames. */
  duration: number;
  /** Output frames a second. */
  frameRate: number;
  /** Output pixels; an odd side of the request is one pixel smaller here, as H.264 with 4:2:0 colour needs even sides. */
  dimensions: Dimensions;
  framing: Framing;
  /** True until the clip's pictures have been looked at (`framedPlan`): the framing is a first guess that can be rendered. */
  unseen?: boolean;
  /** Faces as the output shows them, of which captions keep clear; left out where none has been seen. */
  faces?: SeenFace[];
  /** Output time; empty where there are none. */
  captions: CaptionLine[];
  emojis: EmojiCue[];
  /** The hook title, shown from 0 to `end`, at the top where `position` is left out; null where there is none. */
  title: { text: string; end: number; position?: TitlePosition } | null;
  /** How captions and title look; left out: the default style. */
  style?: Style;
  /** Language of captions and title (BCP 47); left out: not known. */
  language?: string;
}

interface Wanted {
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

function planOf(analysis: Analysis, span: Span, title: string, wanted: Wanted): Plan {
  const { media } = analysis;
  const { editing } = wanted;
  const language = analysis.transcript?.language ?? null;
  const words = (analysis.transcript?.words ?? []).filter(
    (word) => word.start < span.end && word.end > span.start,
  );
  const frameRate = outputRate(media.frameRate);
  const removed = editing.remove_silences ? removedSilences(span, analysis.silences, words) : [];
  // A frame more than there is would be a repeated one: whole videos end on their last full frame.
  const ranges = lastingAtLeast(snapToFrames(keptRanges(span, removed, words), frameRate), span, {
    least: wanted.least ?? 0,
    frameRate,
  });
  const frames = ranges.reduce(
    (sum, range) => sum + Math.round((range.end - range.start) * frameRate),
    0,
  );
  const duration = frames / frameRate;
  const dimensions = encodable(wanted.dimensions);
  const captions = editing.captions
    ? linesOf(outputWords(ranges, words), { dimensions, duration, style: wanted.style })
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
    ...(wanted.style && { style: wanted.style }),
    ...(language !== null && { language }),
  };
}

/** The same edit in another style: the words are set in lines anew, for the letters' size. */
export function restyled(plan: Plan, style: Style): Plan {
  const words = plan.captions.flatMap((line) => line.words);
  const captions = linesOf(words, { ...plan, style });
  const emojis = plan.emojis.length > 0 ? emojiCues(captions, plan.language ?? null) : [];
  return placedText({ ...plan, captions, emojis, style });
}

/** The name that a task has when nobody gave it one: no title to show. */
const namelessTask = 'Upload';

const givenTitle = (name: string): string => {
  const given = name.trim();
  return given === namelessTask ? '' : fitTitle(given);
};

/**
 * The plan of a short. An odd width or height is planned one pixel smaller. Where nothing is said in it, the hook title is the
 * task's `name`, and none where that is left out or the default.
 */
export function planShort(
  analysis: Analysis,
  candidate: Candidate,
  wanted: Wanted & { name?: string },
): Plan {
  const span = {
    start: Math.max(0, candidate.start),
    end: Math.min(candidate.end, analysis.duration),
  };
  const title = candidate.ownWords === false ? givenTitle(wanted.name ?? '') : candidate.title;
  return planOf(analysis, span, title, wanted);
}

/**
 * The plan of a whole video (video-to-video). The hook title is `title`, shortened to fit; where that is empty or the default name
 * `Upload`, it is made of the video's own words, and without words there is none.
 */
export function planWhole(analysis: Analysis, wanted: Wanted & { title: string }): Plan {
  const { transcript } = analysis;
  const own = { language: transcript?.language ?? null, start: 0 };
  const title =
    givenTitle(wanted.title) || (titleOf(transcript?.sentences.slice(0, 5) ?? [], own) ?? '');
  return planOf(analysis, { start: 0, end: analysis.duration }, title, wanted);
}
