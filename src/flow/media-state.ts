/** The state of a player in a frame, with the names and units of `HTMLMediaElement`. */
export interface MediaState {
  readonly paused: boolean;
  readonly ended: boolean;
  /** Seconds. */
  readonly currentTime: number;
  /** Seconds; NaN until it is known. */
  readonly duration: number;
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly playbackRate: number;
  /** 0: nothing is known. 1: the duration is. 4: it plays. */
  readonly readyState: number;
}

/** The settings of a player. */
export type MediaSettings = Pick<
  MediaState,
  'currentTime' | 'volume' | 'muted' | 'playbackRate'
> & {
  readonly loop: boolean;
};

export const initialMediaState: MediaState = {
  paused: true,
  ended: false,
  currentTime: 0,
  duration: NaN,
  volume: 1,
  muted: false,
  playbackRate: 1,
  readyState: 0,
};
