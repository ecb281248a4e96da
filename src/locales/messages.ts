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
  /** While the last part of it is rendered, and the file is stored. */
  finishing: string;
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
  /** Accessible name of a list of clips. */
  'list-label': string;
  /** Label of the progress while a list's clips are being made. */
  'list-working': string;
  /** Before that: `{0}` is a number of megabytes, `{1}` is the size of the model. */
  'working-model': string;
  /** `{0}` is a duration, formatted for the language. */
  'working-speech': string;
  'list-empty': string;
  /** Button that shows more clips of a list; `{0}` is how many there are. */
  'list-more': string;
  /** A clip of a feed: `{0}` is its place, `{1}` how many there are, `{2}` its title (last). */
  'feed-item': string;
  'feed-play': string;
  'feed-pause': string;
  'feed-unmute': string;
  'feed-mute': string;
  'feed-close': string;
  /** Accessible name of a clip's score; `{0}` is a number from 0 to 100. */
  score: string;
  /** More clips have come; `{0}` is how many there are now. */
  'announce-clips': string;
  'announce-complete': string;
  /** Accessible name of the element that takes new videos. */
  'create-label': string;
  'create-drop': string;
  'create-choose': string;
  'create-link': string;
  'create-add': string;
  'create-start': string;
  'create-start-video': string;
  'create-options': string;
  'create-kind': string;
  'create-kind-shorts': string;
  'create-kind-video': string;
  'create-topics': string;
  /** In the empty field for topics. */
  'create-topics-hint': string;
  /** Button that lets a person choose from where to where a video is used. */
  'create-range': string;
  'create-from': string;
  'create-to': string;
  'create-count': string;
  /** `{0}` is a number of clips. */
  'create-up-to': string;
  'create-length': string;
  /** `{0}` is a number of seconds, formatted for the language. */
  'create-about': string;
  'create-language': string;
  'create-translation': string;
  'create-none': string;
  'create-automatic': string;
  'create-shape': string;
  'create-upright': string;
  'create-portrait': string;
  'create-square': string;
  'create-wide': string;
  'create-captions': string;
  'create-emoji': string;
  'create-title': string;
  'create-silences': string;
  'create-fillers': string;
  'create-style': string;
  /** `{0}` is the name of a file. */
  'create-subtitles': string;
  /** Accessible name of a button; `{0}` is the name of a video. So is that of `videos-delete`. */
  'create-remove': string;
  /** `{0}` is how much of a file is sent, `{1}` is its size. */
  'create-sent': string;
  'create-waiting': string;
  'create-paused': string;
  'create-pause': string;
  'create-resume': string;
  'create-cancel': string;
  /** Explains the cancel button while it is unknown whether the task has started. */
  'create-cancel-open': string;
  /** After a reload: the page may not read the file again without a click. */
  'create-file': string;
  'create-start-over': string;
  'create-started': string;
  /** `{0}` is a duration, formatted for the language. */
  'create-wait': string;
  /** `{0}` is a percentage. */
  'announce-sent': string;
  /** `{0}` is the name of a clip. */
  'select-clip': string;
  'select-all': string;
  /** `{0}` is a number; also in the next two. */
  'select-export': string;
  'select-cost': string;
  'select-left': string;
  /** `{0}` is a number of a number, such as `2/5`; also in the next but one. */
  'select-ready': string;
  /** `{0}` is a number. */
  'select-zip': string;
  'select-zipping': string;
  'select-zip-failed': string;
  /** `{0}` are names of files. */
  'select-zip-missing': string;
  /** `{0}` is a number of a number, such as `12/30`. */
  'select-shown': string;
  /** Button that selects the clips that are not shown, too; `{0}` is how many there are. */
  'select-rest': string;
  /** Beside a video whose clips have no captions, because its words are not known. */
  'words-missing': string;
  'words-add': string;
  'words-recognise': string;
  'words-choose': string;
  'words-link': string;
  'further-find': string;
  'further-start': string;
  'videos-label': string;
  'videos-empty': string;
  'videos-more': string;
  /** `{0}` is a date. */
  'videos-unnamed': string;
  'videos-delete': string;
  /** `{0}` is the name of a video; also in the announcements. */
  'videos-delete-question': string;
  'videos-delete-yes': string;
  'videos-delete-no': string;
  'announce-video-ready': string;
  'announce-video-failed': string;
  'announce-video-deleted': string;
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
