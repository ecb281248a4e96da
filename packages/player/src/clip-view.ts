import type { Permission } from 'clip-kit/contract';

/** The words of a clip as a WebVTT file. */
export interface CaptionsView {
  readonly url: string;
  /** Whether the pictures carry them already. */
  readonly burnedIn: boolean;
  /** BCP 47; null if it is not known. */
  readonly language: string | null;
}

/** Small pictures of a clip in rows of one picture. Sizes are in pixels. */
export interface StoryboardView {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly count: number;
  /** Seconds from one picture to the next. */
  readonly step: number;
}

/** What the pages' script shows of a clip. Addresses are relative to the service's root. */
export interface ClipView {
  readonly state: 'preparing' | 'ready' | 'failed';
  readonly name: string;
  /** Size of the clip in pixels. */
  readonly width: number;
  readonly height: number;
  /** Null until the clip is ready. */
  readonly video: string | null;
  readonly poster: string | null;
  readonly captions?: CaptionsView | null;
  readonly storyboard?: StoryboardView | null;
  /** Whether the pictures begin with the title. */
  readonly titleBurnedIn: boolean;
  /** Why it failed, in English. */
  readonly message: string | null;
}

/** What only the embed page shows: its reader has a token. */
export interface EmbedView extends ClipView {
  readonly score: number | null;
  readonly explanation: string | null;
  /** The newest export that is ready, or null. */
  readonly download_url: string | null;
  /** Names of its files for other programs. */
  readonly files: readonly string[];
  /** What the token allows. */
  readonly permissions: readonly Permission[];
}
