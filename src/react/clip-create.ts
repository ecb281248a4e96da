// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipUploadEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipCreateErrorEvent,
} from '../elements/clip-create/clip-create-events.ts';
import type { ClipSignedOutEvent } from '../elements/sign-in.ts';
import { ClipCreate as Element } from '../define/clip-create.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'for'
  | 'label'
  | 'options'
  | 'kind'
  | 'count'
  | 'length'
  | 'language'
  | 'translateTo'
  | 'shape'
  | 'noCaptions'
  | 'noEmojis'
  | 'noTitle'
  | 'removeSilences'
  | 'presetId'
  | 'presets'
  | 'presetsUrl'
  | 'maxBytes'
  | 'maxSeconds'
  | 'endpoint'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession';

interface Events {
  /** `clip-upload`: A file is being sent, or has arrived. */
  onUpload: ClipUploadEvent;
  /** `clip-create-start`: Before anything is sent; cancelable. */
  onStart: ClipCreateStartEvent;
  /** `clip-task`: A task has started. */
  onTask: ClipTaskEvent;
  /** `clip-create-error`: A file, an upload or a start has failed. */
  onError: ClipCreateErrorEvent;
  /** `clip-signed-out`: No user is signed in; it goes on once one is. */
  onSignedOut: ClipSignedOutEvent;
}

/**
 * From a file or a link to clips: takes a video, sends it, and starts its task, once.
 * The element `<clip-create>`, with its properties and events as props.
 */
export const ClipCreate: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap('clip-create', {
  attributes: [
    'for',
    'label',
    'options',
    'kind',
    'count',
    'length',
    'language',
    'translateTo',
    'shape',
    'noCaptions',
    'noEmojis',
    'noTitle',
    'removeSilences',
    'presetId',
    'presetsUrl',
    'maxBytes',
    'maxSeconds',
    'endpoint',
    'credentials',
    'csrfHeader',
    'csrfToken',
    'csrfUrl',
    'session',
  ],
  properties: ['presets', 'getSession'],
  events: {
    onUpload: 'clip-upload',
    onStart: 'clip-create-start',
    onTask: 'clip-task',
    onError: 'clip-create-error',
    onSignedOut: 'clip-signed-out',
  },
  untilReady: 'inert',
});
