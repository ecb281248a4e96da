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
  /** Why it failed, in English. */
  readonly message: string | null;
}

/** What only the embed page shows: its reader has a token. */
export interface EmbedView extends ClipView {
  readonly score: number | null;
  readonly explanation: string | null;
}
