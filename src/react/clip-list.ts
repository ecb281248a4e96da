// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipListItemEvent,
  ClipListChangeEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
  ClipListErrorEvent,
} from '../elements/clip-list/clip-list-events.ts';
import type { ClipSignedOutEvent } from '../elements/sign-in.ts';
import { ClipList as Element } from '../define/clip-list.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'folder'
  | 'project'
  | 'task'
  | 'label'
  | 'pageSize'
  | 'headingLevel'
  | 'endpoint'
  | 'playerUrl'
  | 'handshake'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession';

interface Events {
  /** `clip-list-item`: A clip is about to be shown; it may get options. */
  onItem: ClipListItemEvent;
  /** `clip-list-change`: The clips were read, or have changed. */
  onChange: ClipListChangeEvent;
  /** `clip-list-progress`: The task has progressed. */
  onProgress: ClipListProgressEvent;
  /** `clip-list-ready`: The list is complete. */
  onReady: ClipListReadyEvent;
  /** `clip-list-error`: Clips or their task failed; `error` says why. */
  onError: ClipListErrorEvent;
  /** `clip-signed-out`: No user is signed in; it goes on once one is. */
  onSignedOut: ClipSignedOutEvent;
}

/**
 * All clips of a folder: preview, title, score and its reason, export. Live while their task runs.
 * The element `<clip-list>`, with its properties and events as props.
 */
export const ClipList: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-list', {
  attributes: [
    'folder',
    'project',
    'task',
    'label',
    'pageSize',
    'headingLevel',
    'endpoint',
    'playerUrl',
    'handshake',
    'credentials',
    'csrfHeader',
    'csrfToken',
    'csrfUrl',
    'session',
  ],
  properties: ['getSession'],
  events: {
    onItem: 'clip-list-item',
    onChange: 'clip-list-change',
    onProgress: 'clip-list-progress',
    onReady: 'clip-list-ready',
    onError: 'clip-list-error',
    onSignedOut: 'clip-signed-out',
  },
  untilReady: 'again',
});
