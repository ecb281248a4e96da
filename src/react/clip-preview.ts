// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipPreviewActivateEvent,
  ClipPreviewReadyEvent,
  ClipPreviewErrorEvent,
} from '../elements/clip-preview/clip-preview-events.ts';
import { ClipPreview as Element } from '../define/clip-preview.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'loading'
  | 'poster'
  | 'playerUrl'
  | 'posterUrl'
  | 'project'
  | 'handshake'
  | 'label'
  | 'allow'
  | 'sandbox'
  | 'referrerPolicy'
  | 'timeout'
  | 'autoplay'
  | 'loop'
  | 'playsInline'
  | 'noExclusive'
  | 'width'
  | 'height'
  | 'currentTime'
  | 'volume'
  | 'muted'
  | 'playbackRate';

interface Events {
  /** `clip-preview-activate`: Somebody activated the preview. */
  onActivate: ClipPreviewActivateEvent;
  /** `clip-preview-ready`: The frame has loaded. */
  onReady: ClipPreviewReadyEvent;
  /** `clip-preview-error`: The preview failed; `error` says why. */
  onError: ClipPreviewErrorEvent;
  /** `play`: Playback begins. Like all media events, it does not bubble. */
  onPlay: Event;
  /** `playing`: The picture moves. */
  onPlaying: Event;
  /** `pause`: Playback is paused, or has reached the end. */
  onPause: Event;
  /** `ended`: Playback has reached the end. */
  onEnded: Event;
  /** `timeupdate`: `currentTime` has changed. */
  onTimeUpdate: Event;
  /** `durationchange`: `duration` has changed. */
  onDurationChange: Event;
  /** `volumechange`: `volume` or `muted` has changed. */
  onVolumeChange: Event;
  /** `ratechange`: `playbackRate` has changed. */
  onRateChange: Event;
  /** `seeking`: `currentTime` was set. */
  onSeeking: Event;
  /** `seeked`: The player is at the new time. */
  onSeeked: Event;
  /** `waiting`: The player waits for data. */
  onWaiting: Event;
  /** `progress`: More of the clip has been loaded. */
  onProgress: Event;
  /** `loadedmetadata`: The player knows the clip. */
  onLoadedMetadata: Event;
  /** `error`: The player could not play the clip. */
  onMediaError: Event;
}

/**
 * A preview of a clip: the player page in a frame, or a poster that turns into it.
 * The element `<clip-preview>`, with its properties and events as props.
 */
export const ClipPreview: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-preview', {
  attributes: [
    'loading',
    'poster',
    'playerUrl',
    'posterUrl',
    'project',
    'handshake',
    'label',
    'allow',
    'sandbox',
    'referrerPolicy',
    'timeout',
    'autoplay',
    'loop',
    'playsInline',
    'noExclusive',
    'width',
    'height',
    'muted',
  ],
  properties: ['currentTime', 'volume', 'muted', 'playbackRate'],
  events: {
    onActivate: 'clip-preview-activate',
    onReady: 'clip-preview-ready',
    onError: 'clip-preview-error',
    onPlay: 'play',
    onPlaying: 'playing',
    onPause: 'pause',
    onEnded: 'ended',
    onTimeUpdate: 'timeupdate',
    onDurationChange: 'durationchange',
    onVolumeChange: 'volumechange',
    onRateChange: 'ratechange',
    onSeeking: 'seeking',
    onSeeked: 'seeked',
    onWaiting: 'waiting',
    onProgress: 'progress',
    onLoadedMetadata: 'loadedmetadata',
    onMediaError: 'error',
  },
});
