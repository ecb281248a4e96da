import type { Dimensions, EditingOptions } from '../edit.ts';
import type { Analysis, Span, Word } from '../facts.ts';
import type { PostTexts } from '../moments/post-texts.ts';
import type { Style } from '../style/style.ts';

/** Words that are not heard in clips, and the sound in their place. */
export interface MutedWords {
  /** Whole words in any case. A `*` at the end stands for any further letters. */
  words: readonly string[];
  sound: 'mute' | 'bleep';
}

/** The settings of an edit: editing options, size and style. */
export interface EditOptions {
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
  /** If omitted, only words that a person mutes are muted. */
  mutedWords?: MutedWords | undefined;
}

/**
 * Everything that a clip's edit is made from, also after each change: the facts of the source
 * around the clip, and the request. Plain JSON; times are source seconds.
 */
export interface EditInputs extends Pick<Analysis, 'duration' | 'media' | 'silences' | 'focus'> {
  version: 1;
  /** The part of the source that the inputs cover, and that the clip can be extended to. */
  editable: Span;
  /** The clip before any change. */
  span: Span;
  /** The hook title; may be empty. */
  title: string;
  /** Texts for posting the clip. */
  post: PostTexts;
  /** In the shown language. Null if the words are not known. */
  words: Word[] | null;
  language: string | null;
  /** True if the words are a translation of the speech. */
  translated?: boolean;
  /** The words as they are spoken, if those that are shown are a translation. */
  spoken?: Word[];
  /** About the loudness of the clip in its source, in LUFS. Omitted if it is not known. */
  sourceDb?: number;
  options: EditOptions;
}
