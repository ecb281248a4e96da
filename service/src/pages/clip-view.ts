/** The words of a clip as a WebVTT file. */
export interface CaptionsView {
  readonly url: string;
  /** Whether the pictures carry them already. */
  readonly burnedIn: boolean;
  /** BCP 47; null if it is not known. */
  readonly language: string | null;
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
}
