// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipEmbedReadyEvent,
  ClipEmbedErrorEvent,
  ClipTokenRenewedEvent,
  ClipEditEvent,
  ClipEditErrorEvent,
} from '../elements/clip-embed/clip-embed-events.ts';
import type { ClipSignedOutEvent } from '../elements/sign-in.ts';
import { ClipEmbed as Element } from '../define/clip-embed.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'loading'
  | 'edit'
  | 'getToken'
  | 'renew'
  | 'appUrl'
  | 'endpoint'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession'
  | 'token'
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
  /** `clip-embed-ready`: The frame has loaded. */
  onReady: ClipEmbedReadyEvent;
  /** `clip-embed-error`: The embed or its token failed; `error` says why. */
  onError: ClipEmbedErrorEvent;
  /** `clip-token-renewed`: A new token was passed to the frame. */
  onTokenRenewed: ClipTokenRenewedEvent;
  /** `clip-edit`: The clip was changed in the frame's editor, or is being saved. */
  onEdit: ClipEditEvent;
  /** `clip-edit-error`: A change could not be saved; `error` says why. */
  onEditError: ClipEditErrorEvent;
  /** `clip-signed-out`: No user is signed in; it goes on once one is. */
  onSignedOut: ClipSignedOutEvent;
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
 * The embed page of a clip. Its token is only in the frame's URL fragment.
 * The element `<clip-embed>`, with its properties and events as props.
 */
export const ClipEmbed: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-embed', {
  attributes: [
    'loading',
    'edit',
    'renew',
    'appUrl',
    'endpoint',
    'credentials',
    'csrfHeader',
    'csrfToken',
    'csrfUrl',
    'session',
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
  properties: ['getToken', 'getSession', 'token', 'currentTime', 'volume', 'muted', 'playbackRate'],
  events: {
    onReady: 'clip-embed-ready',
    onError: 'clip-embed-error',
    onTokenRenewed: 'clip-token-renewed',
    onEdit: 'clip-edit',
    onEditError: 'clip-edit-error',
    onSignedOut: 'clip-signed-out',
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
