/**
 * The events of a clip's player, which speaks player.js. The protocol does not have those whose
 * names begin with `clip-`.
 */
export const playerEvents = [
  'ready',
  'play',
  'pause',
  'ended',
  'timeupdate',
  'progress',
  'seeked',
  'error',
  'clip-playing',
  'clip-waiting',
  'clip-volumechange',
  'clip-ratechange',
  'clip-durationchange',
] as const;

export type PlayerEvent = (typeof playerEvents)[number];
