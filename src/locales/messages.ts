import type { ClipErrorCode } from '../client/clip-error.ts';

/**
 * Every text that an element shows or announces, by key. An error's text has the error's code as
 * its key.
 */
export interface Messages extends Partial<Record<ClipErrorCode, string>> {
  /** Accessible name of an embed's frame. */
  'embed-label': string;
  /** Accessible name of a preview's frame. */
  'preview-label': string;
  /** Accessible name of the play button; `{0}` is the preview's name. */
  play: string;
  loading: string;
  /** Button that tries again after an error. */
  retry: string;
  /** Link that opens the clip in a new tab. */
  open: string;
  export: string;
  starting: string;
  /** While rendering, with no estimate. */
  exporting: string;
  /** While rendering; `{0}` is a percentage, formatted for the language. */
  'exporting-share': string;
  /** While rendering; `{0}` is the time left, a duration formatted for the language. */
  'time-left': string;
  download: string;
  /** Button that asks again for the result of a start. */
  'check-again': string;
  'announce-start': string;
  /** `{0}` is a percentage. */
  'announce-share': string;
  'announce-ready': string;
  /** There was no answer about the export for a while; the element still asks for it. */
  stalled: string;
  /**
   * The site asks the page to wait before the next request; `{0}` is that time, formatted for the
   * language.
   */
  waiting: string;
  /**
   * Button that starts another export, because the options have changed since the export that is
   * shown.
   */
  'export-again': string;
  /** Button beside the file of an older revision of the clip. */
  'export-version': string;
  /**
   * Button that takes an export that may be the result of a lost start; `{0}` is its date and time,
   * formatted for the language.
   */
  'export-of': string;
  /** Accessible name of a list of clips. */
  'list-label': string;
  /** Label of the progress while a list's clips are being made. */
  'list-working': string;
  'list-empty': string;
  /** Button that shows more clips of a list; `{0}` is how many there are. */
  'list-more': string;
  /** Accessible name of a clip's score; `{0}` is a number from 0 to 100. */
  score: string;
  /** More clips have come; `{0}` is how many there are now. */
  'announce-clips': string;
  'announce-complete': string;
  /** A frame loaded, but its page is not the clip's. */
  'frame-blank': string;
  /** The page's own policy refuses the frame. */
  'frame-blocked': string;
}

/** For the page's author, in English so that they can be looked up, or shown by another page. */
type ConfigurationError = Exclude<
  Extract<
    ClipErrorCode,
    `missing-${string}` | `invalid-${string}` | `player-${string}` | 'edit-failed'
  >,
  'invalid-answer'
>;

/** The texts of one of the kit's own locales: all of them except the author's mistakes. */
export type Locale = Required<Omit<Messages, ConfigurationError>>;
