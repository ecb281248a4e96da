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

/** The part of a clip that can be played while it is rendered. */
export interface StreamView {
  /** The initialization segment of a fragmented MP4, then its media segments. */
  readonly urls: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  /** The duration of the clip, in seconds. */
  readonly duration: number;
}

/**
 * The data of a clip that the pages' script shows. Addresses are relative to the service's root.
 */
export interface ClipView {
  readonly state: 'preparing' | 'ready' | 'failed';
  readonly name: string;
  /** Size of the clip in pixels. */
  readonly width: number;
  readonly height: number;
  /** Null until the clip is ready. */
  readonly video: string | null;
  /** Null until the first second is rendered, and once the clip is ready. */
  readonly stream?: StreamView | null;
  readonly poster: string | null;
  readonly captions?: CaptionsView | null;
  readonly storyboard?: StoryboardView | null;
  /** Whether the pictures begin with the title. */
  readonly titleBurnedIn: boolean;
  /** Why it failed, in English. */
  readonly message: string | null;
}

/** Data that only the embed page shows: its reader has a token. */
export interface EmbedView extends ClipView {
  readonly score: number | null;
  readonly explanation: string | null;
  /** The newest export that is ready, or null. */
  readonly download_url: string | null;
  /** Names of its files for other programs. */
  readonly files: readonly string[];
  /** The permissions of the token; nothing is edited of a clip that is not made yet. */
  readonly permissions: readonly Permission[];
}

const padWithZero = (value: number): string => String(value).padStart(2, '0');

/** A time in a clip, as in 0:07 or 1:02:03. */
export function formatTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const tail = padWithZero(whole % 60);
  return hours > 0 ? `${hours}:${padWithZero(minutes)}:${tail}` : `${minutes}:${tail}`;
}
