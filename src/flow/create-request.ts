import type {
  SourceRange,
  TaskType,
  VideoToShortsInput,
  VideoToVideoInput,
} from '../contract/task.ts';

/** `shorts`: several clips. `video`: one edited video. */
export type CreateKind = 'shorts' | 'video';

/** The user's choices for a task, as the element has them. Null: the service decides. */
export interface CreateChoices {
  readonly kind: CreateKind;
  readonly count: number | null;
  /** The approximate length of each clip in seconds. */
  readonly length: number | null;
  readonly language: string | null;
  readonly translateTo: string | null;
  readonly shape: string | null;
  readonly noCaptions: boolean;
  readonly noEmojis: boolean;
  readonly noTitle: boolean;
  readonly removeSilences: boolean;
  readonly removeFillers: boolean;
  presetId: string | null;
  /** Separated by commas. */
  readonly topics: string | null;
}

type Unsent<Body> = Omit<Body, 'source_video_url' | 'subtitles_url'>;

/** Body of the start of a task, without the video. */
export type CreateBody = Unsent<VideoToShortsInput> | Unsent<VideoToVideoInput>;

/** The shapes of a clip, width to height. */
const shapes: ReadonlyMap<string, { readonly width: number; readonly height: number }> = new Map([
  ['9:16', { width: 1080, height: 1920 }],
  ['4:5', { width: 1080, height: 1350 }],
  ['1:1', { width: 1080, height: 1080 }],
  ['16:9', { width: 1920, height: 1080 }],
]);

export const getTaskType = (kind: CreateKind): TaskType =>
  kind === 'video' ? 'video-to-video' : 'video-to-shorts';

const clampTo = (value: number, low: number, high: number): number =>
  Math.round(Math.min(high, Math.max(low, value)));

/** A clip may be half as long as wished, or one and a half times. */
function makeDurations(seconds: number): object {
  return {
    target_duration: clampTo(seconds, 1, 120),
    min_duration: clampTo(seconds / 2, 1, 120),
    max_duration: clampTo(seconds * 1.5, 1, 180),
  };
}

const maxTopics = 10;
const maxTopicCharacters = 100;

/** Returns the topics in a text. */
export const parseTopics = (text: string | null): string[] =>
  [...new Set((text ?? '').split(/[,;\n、،，]/).map((one) => one.trim()))]
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
    .map((one) => one.slice(0, maxTopicCharacters).toWellFormed())
    .slice(0, maxTopics);

/** `range`: the part of the video to use; undefined for all. */
export function createBody(choices: CreateChoices, name: string, range?: SourceRange): CreateBody {
  const { kind, count, length, language, translateTo, presetId } = choices;
  const dimensions = shapes.get(choices.shape ?? '');
  const topics = parseTopics(choices.topics);
  const clips = count === null ? null : clampTo(count, 1, 100);
  return {
    name: name.slice(0, 255) || 'Video',
    ...(language && { language }),
    ...(translateTo && { translate_to: translateTo }),
    ...(presetId && { style_preset_id: presetId }),
    ...(dimensions && { dimensions }),
    editing_options: {
      captions: !choices.noCaptions,
      emojis: !choices.noEmojis,
      intro_title: !choices.noTitle,
      remove_silences: choices.removeSilences,
      // Not in the specification.
      ...(choices.removeFillers && { remove_fillers: true }),
    },
    // Not in the specification, as `remove_fillers`.
    ...(range && { source_range: range }),
    ...(kind === 'shorts' && {
      ...(topics.length > 0 && { topics }),
      ...(clips && { target_clip_count: clips, max_clip_count: clips }),
      ...(length && makeDurations(length)),
    }),
  };
}
