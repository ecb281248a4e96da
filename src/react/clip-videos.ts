// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
} from '../elements/clip-videos/clip-videos-events.ts';
import type { ClipSignedOutEvent } from '../elements/sign-in.ts';
import { ClipVideos as Element } from '../define/clip-videos.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'for'
  | 'selected'
  | 'label'
  | 'pageSize'
  | 'endpoint'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession';

interface Events {
  /** `clip-video`: A video was chosen; cancelable. */
  onVideo: ClipVideoEvent;
  /** `clip-videos-change`: The videos were read, or have changed. */
  onChange: ClipVideosChangeEvent;
  /** `clip-videos-error`: Reading or deleting failed; `error` says why. */
  onError: ClipVideosErrorEvent;
  /** `clip-signed-out`: No user is signed in; it goes on once one is. */
  onSignedOut: ClipSignedOutEvent;
}

/**
 * The user's videos, newest first, live. Choosing one shows its clips in a list.
 * The element `<clip-videos>`, with its properties and events as props.
 */
export const ClipVideos: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-videos', {
  attributes: [
    'for',
    'selected',
    'label',
    'pageSize',
    'endpoint',
    'credentials',
    'csrfHeader',
    'csrfToken',
    'csrfUrl',
    'session',
  ],
  properties: ['getSession'],
  events: {
    onVideo: 'clip-video',
    onChange: 'clip-videos-change',
    onError: 'clip-videos-error',
    onSignedOut: 'clip-signed-out',
  },
});
